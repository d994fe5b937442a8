// Lists that are fetched again in the background, as long as somebody can see them.

const REFRESH = 8000; // milliseconds

/** Look now, again and again, and when the page comes back into sight; call in a component's setup. */
export function keepLooking(look: () => Promise<void>): void {
  const ifSeen = (): void => void (document.hidden || look());
  $effect(() => {
    ifSeen();
    const timer = setInterval(ifSeen, REFRESH);
    document.addEventListener("visibilitychange", ifSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ifSeen);
    };
  });
}
