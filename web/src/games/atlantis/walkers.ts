// Which pawn is which: the server only says where a player's pawns stand, but each of them must walk there, not jump.

export interface Walker {
  id: string;
  seat: number;
  place: number;
}

/** The pawns of the next view, each with the id it had before. */
export function walkOn(before: Walker[], pawns: number[][]): Walker[] {
  return pawns.flatMap((places, seat) => {
    const old = before.filter((walker) => walker.seat === seat);
    if (old.length !== places.length) return places.map((place, i) => ({ id: `${seat}-${i}`, seat, place }));
    const free = [...places];
    const stayed = old.filter(({ place }) => {
      const at = free.indexOf(place);
      if (at >= 0) free.splice(at, 1);
      return at >= 0;
    });
    const moved = old.filter((walker) => !stayed.includes(walker));
    return [...stayed, ...moved.map((walker, i) => ({ ...walker, place: free[i]! }))];
  });
}
