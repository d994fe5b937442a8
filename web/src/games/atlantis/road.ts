// The path as a winding road: rows from side to side, joined by half circles, as many rows as suit the box.
//
// All lengths are in hundredths of a space, so that drawings on the road need only one size; the box decides how large
// that is on the screen.

import { ATLANTIS, MAINLAND, SPACES } from "./view";

export interface Point {
  x: number;
  y: number;
  turn: number; // the direction of the road, in radians
}

export const SPACE = 100;
export const STEP = 9; // the height of a tile
const END = 170; // the length of road that Atlantis and the mainland take
const MIDDLE = 26; // after this space there is water that has no number
const SHARE = 0.66; // the road's width, as a share of a row's height
const MAX_ROWS = 14;

/** Where on the line of the road the middle of a place is. */
export function along(place: number): number {
  if (place <= ATLANTIS) return END / 2;
  if (place >= MAINLAND) return END + (SPACES + 1) * SPACE + END / 2;
  return END + (place - 0.5 + (place > MIDDLE ? 1 : 0)) * SPACE;
}

/** The stretch of road between two places of land. */
export function between(after: number, before: number): [number, number] {
  const start = after <= ATLANTIS ? END : along(after) + SPACE / 2;
  const end = before >= MAINLAND ? END + (SPACES + 1) * SPACE : along(before) - SPACE / 2;
  return [start, end];
}

const LENGTH = 2 * END + (SPACES + 1) * SPACE;

interface Plan {
  rows: number;
  space: number; // pixels
  straight: [number, number]; // where rows begin and end, in pixels
}

function plan(width: number, height: number, rows: number): Plan {
  const pitch = height / rows;
  let wide = SHARE * pitch;
  let found: Plan = { rows, space: 1, straight: [0, width] };
  for (let pass = 0; pass < 3; pass++) {
    // the road's width depends on the space, and the space on the width
    const turn = pitch / 2 + wide / 2 + 0.05 * pitch;
    const straight = Math.max(width - 2 * turn, 1);
    const long = rows * straight + (rows - 1) * Math.PI * (pitch / 2) + 2 * turn;
    const space = (SPACE * long) / LENGTH;
    found = { rows, space, straight: [turn, turn + straight] };
    wide = Math.min(SHARE * pitch, 0.95 * space);
  }
  return found;
}

const largest = (plan: Plan, height: number): number => Math.min(plan.space, (0.72 * height) / plan.rows);

export class Road {
  readonly width: number;
  readonly height: number;
  readonly half: number; // of the road's width
  readonly scale: number; // pixels per hundredth of a space
  readonly rows: number;
  readonly #left: number;
  readonly #right: number;
  readonly #pitch: number;

  constructor(width: number, height: number) {
    const plans = Array.from({ length: MAX_ROWS - 1 }, (_, i) => plan(width, height, i + 2));
    const best = plans.reduce((one, other) => (largest(other, height) > largest(one, height) ? other : one));
    this.scale = best.space / SPACE;
    this.rows = best.rows;
    this.width = width / this.scale;
    this.height = height / this.scale;
    this.#left = best.straight[0] / this.scale;
    this.#right = best.straight[1] / this.scale;
    this.#pitch = this.height / best.rows;
    this.half = Math.min(SHARE * this.#pitch, 0.95 * SPACE) / 2;
  }

  /** The point at this distance along the road; the first row runs to the right. */
  at(way: number): Point {
    const straight = this.#right - this.#left;
    const radius = this.#pitch / 2;
    const bend = Math.PI * radius;
    let left = way - this.#left; // the first row begins at the edge of the box
    let row = 0;
    while (row < this.rows - 1 && left > straight + bend) {
      left -= straight + bend;
      row += 1;
    }
    const right = row % 2 === 0;
    const y = (row + 0.5) * this.#pitch;
    if (left <= straight || row === this.rows - 1)
      return { x: right ? this.#left + left : this.#right - left, y, turn: right ? 0 : Math.PI };
    const angle = (left - straight) / radius;
    const side = right ? 1 : -1;
    const middle = right ? this.#right : this.#left;
    const x = middle + side * radius * Math.sin(angle);
    return { x, y: y + radius * (1 - Math.cos(angle)), turn: right ? angle : Math.PI - angle };
  }

  place(place: number): Point {
    return this.at(along(place));
  }

  /** The outline of a piece of the road, up to `aside` from its middle line on both sides. */
  outline(start: number, end: number, aside: number): string {
    const points = samples(start, end).map((way) => this.at(way));
    const side = (sign: number) => points.map((p) => shifted(p, sign * aside));
    return `M${[...side(-1), ...side(1).reverse()].join("L")}Z`;
  }

  /** The middle line of a piece of the road, or one beside it. */
  line(start: number, end: number, aside = 0): string {
    return `M${samples(start, end).map((way) => shifted(this.at(way), aside)).join("L")}`;
  }

  /** The points of a walk from one place to another: along the road, or straight back. */
  walk(from: number, to: number): Point[] {
    if (to < from) return [this.place(from), this.place(to)];
    return samples(along(from), along(to)).map((way) => this.at(way));
  }
}

const SAMPLE = 12.5;

function samples(start: number, end: number): number[] {
  const count = Math.max(1, Math.ceil(Math.abs(end - start) / SAMPLE));
  return Array.from({ length: count + 1 }, (_, i) => start + ((end - start) * i) / count);
}

function shifted({ x, y, turn }: Point, aside: number): string {
  return `${(x - Math.sin(turn) * aside).toFixed(1)} ${(y + Math.cos(turn) * aside).toFixed(1)}`;
}
