// QR codes (ISO/IEC 18004): byte mode, error correction level M, versions 1 to 10, so up to 213 bytes: enough for a link.

/** For each version at level M: error correction codewords per block, and the number of blocks. */
const BLOCKS: readonly [correction: number, blocks: number][] = [
  [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5],
];
const CODEWORDS: readonly number[] = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const ALIGNMENT: readonly number[][] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];
const LEVEL_M = 0;

type Grid = boolean[][];
type Mask = (row: number, column: number) => boolean;

const MASKS: readonly Mask[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The modules of the code, row by row: true is dark. */
export function qrCode(text: string): Grid {
  const bytes = [...new TextEncoder().encode(text)];
  const version = CODEWORDS.findIndex((_, index) => bytes.length + header(index + 1) <= room(index + 1)) + 1;
  if (!version) throw new RangeError("The text is too long for a QR code.");
  const bits = withCorrection(version, dataOf(version, bytes));
  const drawn = MASKS.map((mask, number) => draw(version, bits, mask, number));
  const penalties = drawn.map(penalty);
  return drawn[penalties.indexOf(Math.min(...penalties))]!;
}

// ------------------------------------------------------------------ the codewords

/** How many codewords of a version hold data. */
function room(version: number): number {
  const [correction, blocks] = BLOCKS[version - 1]!;
  return CODEWORDS[version - 1]! - correction * blocks;
}

const lengthBits = (version: number): number => (version < 10 ? 8 : 16);
const header = (version: number): number => (4 + lengthBits(version)) / 8;

function dataOf(version: number, bytes: number[]): number[] {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4); // bytes follow
  put(bytes.length, lengthBits(version));
  for (const byte of bytes) put(byte, 8);
  const most = room(version) * 8;
  put(0, Math.min(4, most - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < most; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: most / 8 }, (_, at) => bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
}

/** The blocks of data and their corrections, interleaved, as bits. */
function withCorrection(version: number, data: number[]): boolean[] {
  const [correction, count] = BLOCKS[version - 1]!;
  const short = Math.floor(data.length / count);
  const long = data.length % count; // the last `long` blocks have one more codeword
  const blocks: number[][] = [];
  for (let block = 0, at = 0; block < count; block++) {
    const length = short + (block >= count - long ? 1 : 0);
    blocks.push(data.slice(at, (at += length)));
  }
  const corrections = blocks.map((block) => remainder(block, generator(correction)));
  const all = [...interleaved(blocks), ...interleaved(corrections)];
  return all.flatMap((word) => Array.from({ length: 8 }, (_, bit) => ((word >> (7 - bit)) & 1) === 1));
}

function interleaved(blocks: number[][]): number[] {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, at) => blocks.map((block) => block[at])).flat().filter((word) => word !== undefined);
}

/** The product in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** The polynomial (x - 1)(x - 2)(x - 4)… of that degree, without its leading 1. */
function generator(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1];
  for (let step = 0, root = 1; step < degree; step++, root = times(root, 2))
    for (let at = 0; at < degree; at++) result[at] = times(result[at]!, root) ^ (result[at + 1] ?? 0);
  return result;
}

function remainder(data: number[], divisor: number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((coefficient, at) => (rest[at]! ^= times(coefficient, factor)));
  }
  return rest;
}

// ------------------------------------------------------------------ the picture

function draw(version: number, bits: boolean[], mask: Mask, number: number): Grid {
  const size = 17 + 4 * version;
  const dark: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (row: number, column: number, on: boolean): void => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    dark[row]![column] = on;
    fixed[row]![column] = true;
  };
  drawPatterns(version, size, set);
  drawFormat(size, number, set);
  if (version >= 7) drawVersion(version, size, set);
  fill(size, bits, dark, fixed, mask);
  return dark;
}

type Setter = (row: number, column: number, on: boolean) => void;

function drawPatterns(version: number, size: number, set: Setter): void {
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]] as const) square(row, column, 4, [0, 1, 3], set);
  const places = ALIGNMENT[version - 1]!;
  const last = places.length - 1;
  places.forEach((row, i) =>
    places.forEach((column, j) => {
      const corner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!corner) square(row, column, 2, [0, 2], set);
    }),
  );
}

/** Concentric square rings; those at the given distances from the center are dark. */
function square(row: number, column: number, reach: number, rings: number[], set: Setter): void {
  for (let dr = -reach; dr <= reach; dr++)
    for (let dc = -reach; dc <= reach; dc++)
      set(row + dr, column + dc, rings.includes(Math.max(Math.abs(dr), Math.abs(dc))));
}

/** A value followed by its BCH check bits, which protect the format and version information. */
function protectedBits(value: number, count: number, divisor: number): number {
  let rest = value;
  for (let step = 0; step < count; step++) rest = (rest << 1) ^ ((rest >> (count - 1)) * divisor);
  return (value << count) | rest;
}

function drawFormat(size: number, mask: number, set: Setter): void {
  const bits = protectedBits((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412;
  const on = (bit: number): boolean => ((bits >> bit) & 1) === 1;
  for (let bit = 0; bit < 6; bit++) set(bit, 8, on(bit));
  set(7, 8, on(6));
  set(8, 8, on(7));
  set(8, 7, on(8));
  for (let bit = 9; bit < 15; bit++) set(8, 14 - bit, on(bit));
  for (let bit = 0; bit < 8; bit++) set(8, size - 1 - bit, on(bit));
  for (let bit = 8; bit < 15; bit++) set(size - 15 + bit, 8, on(bit));
  set(size - 8, 8, true);
}

function drawVersion(version: number, size: number, set: Setter): void {
  const bits = protectedBits(version, 12, 0x1f25);
  for (let bit = 0; bit < 18; bit++) {
    const on = ((bits >> bit) & 1) === 1;
    const far = size - 11 + (bit % 3);
    const near = Math.floor(bit / 3);
    set(near, far, on);
    set(far, near, on);
  }
}

/** The bits go up and down in columns of two, starting at the right; the mask inverts some. */
function fill(size: number, bits: boolean[], dark: Grid, fixed: Grid, mask: Mask): void {
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const row = upward ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (fixed[row]![column]) continue;
        dark[row]![column] = (bits[next++] ?? false) !== mask(row, column);
      }
    }
  }
}

// ------------------------------------------------------------------ which mask is best

/** How hard the code is to read: long runs, blocks, false finders, too much of one shade. */
function penalty(grid: Grid): number {
  const columns = grid.map((_, column) => grid.map((row) => row[column]!));
  const shares = grid.flat();
  const dark = shares.filter(Boolean).length / shares.length;
  const lines = [...grid, ...columns].reduce((sum, line) => sum + linePenalty(line), 0);
  return lines + blockPenalty(grid) + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}

function linePenalty(line: boolean[]): number {
  const text = line.map((on) => (on ? "1" : "0")).join("");
  const runs = text.match(/0{5,}|1{5,}/g) ?? [];
  const finders = [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
  return runs.reduce((sum, run) => sum + run.length - 2, 0) + 40 * finders;
}

function blockPenalty(grid: Grid): number {
  let sum = 0;
  for (let r = 1; r < grid.length; r++)
    for (let c = 1; c < grid.length; c++) {
      const on = grid[r]![c];
      if (grid[r - 1]![c] === on && grid[r]![c - 1] === on && grid[r - 1]![c - 1] === on) sum += 3;
    }
  return sum;
}
