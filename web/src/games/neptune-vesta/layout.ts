// Where things are on the board: the zones side by side if it is wide, one above the other if it is tall.

import { END, colorOf, isColumn, type Color } from "./view";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export interface Layout {
  wide: boolean;
  width: number;
  height: number;
  cell: { width: number; height: number };
  tile: number; // from edge to edge
  zones: Record<Color, Box>; // the 25 cells
  frames: Record<Color, Box>; // including the names of the lines around them
  track: Box;
  /** Where a number of the track is; 10 is red's end. */
  station(place: number): Point;
  /** The corner of the track that belongs to a player: their emblem, and the rounds they have won. */
  corner(color: Color): Point;
}

const PAD = 10; // around the cells of a zone
const ROWS_BESIDE = 44; // for the names of the rows
const COLUMNS_BELOW = 34; // for the names of the columns

function zoneIn(frame: Box, rowsLeft: boolean, cell: { width: number; height: number }): Box {
  const x = frame.x + (rowsLeft ? ROWS_BESIDE : PAD);
  return { x, y: frame.y + PAD, width: 5 * cell.width, height: 5 * cell.height };
}

function wideLayout(): Layout {
  const cell = { width: 79, height: 79 };
  const size = { width: ROWS_BESIDE + 5 * cell.width + PAD, height: PAD + 5 * cell.height + COLUMNS_BELOW };
  const frames = { red: { x: 8, y: 150, ...size }, blue: { x: 932 - size.width, y: 150, ...size } };
  return {
    wide: true,
    width: 940,
    height: 150 + size.height + 7,
    cell,
    tile: 66,
    zones: { red: zoneIn(frames.red, true, cell), blue: zoneIn(frames.blue, false, cell) },
    frames,
    track: { x: 8, y: 6, width: 924, height: 136 },
    station: (place) => ({ x: 470 - (place * 296) / END, y: 108 }),
    corner: (color) => ({ x: color === "red" ? 70 : 870, y: 66 }),
  };
}

function tallLayout(): Layout {
  const cell = { width: 88, height: 75 };
  const size = { width: ROWS_BESIDE + 5 * cell.width + PAD, height: PAD + 5 * cell.height + COLUMNS_BELOW };
  const x = 744 - size.width;
  const frames = { red: { x, y: 4, ...size }, blue: { x, y: 8 + size.height + 4, ...size } };
  return {
    wide: false,
    width: 748,
    height: 2 * size.height + 16,
    cell,
    tile: 66,
    zones: { red: zoneIn(frames.red, true, cell), blue: zoneIn(frames.blue, true, cell) },
    frames,
    track: { x: 4, y: 4, width: x - 12, height: 2 * size.height + 8 },
    station: (place) => ({ x: 158, y: 438 - (place * 250) / END }),
    corner: (color) => ({ x: 92, y: color === "red" ? 88 : 770 }),
  };
}

const WIDE = wideLayout();
const TALL = tallLayout();

/** The layout whose cells are larger in a box of this size. */
export function layoutFor(width: number, height: number): Layout {
  const scale = (layout: Layout): number => Math.min(width / layout.width, height / layout.height);
  return scale(WIDE) * WIDE.cell.height >= scale(TALL) * TALL.cell.height ? WIDE : TALL;
}

/** The middle of a cell such as "Rb3". */
export function middleOf(layout: Layout, cell: string): Point {
  const zone = layout.zones[colorOf(cell)];
  const [column, row] = [cell.charCodeAt(1) - 97, cell.charCodeAt(2) - 49];
  return { x: zone.x + (column + 0.5) * layout.cell.width, y: zone.y + (row + 0.5) * layout.cell.height };
}

/** The cells of a line such as "Rb" or "R3". */
export function bandOf(layout: Layout, line: string): Box {
  const zone = layout.zones[colorOf(line)];
  if (!isColumn(line)) {
    return { ...zone, y: zone.y + (line.charCodeAt(1) - 49) * layout.cell.height, height: layout.cell.height };
  }
  return { ...zone, x: zone.x + (line.charCodeAt(1) - 97) * layout.cell.width, width: layout.cell.width };
}

/** Where the name of a line is, or what the line holds while it is marked. */
export function nameOf(layout: Layout, line: string): Point {
  const band = bandOf(layout, line);
  if (isColumn(line)) return { x: band.x + band.width / 2, y: band.y + band.height + COLUMNS_BELOW / 2 };
  const left = band.x > layout.frames[colorOf(line)].x + PAD;
  return { x: left ? band.x - ROWS_BESIDE / 2 : band.x + band.width + ROWS_BESIDE / 2, y: band.y + band.height / 2 };
}
