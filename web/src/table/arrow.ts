// A curved arrow from one circle to another, as SVG paths.

export interface Circle {
  x: number;
  y: number;
  r: number;
}

const BEND = 0.16; // how far it leaves the straight line, as a share of its length
const MAX_BEND = 60; // pixels, at most
const TIP = 0.4; // its length, as a share of the radius

export interface Arrow {
  line: string;
  tip: string;
}

export function arrow(from: Circle, to: Circle, tip: number = TIP * to.r): Arrow {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const side = dx < 0 ? 1 : -1; // it always bends upward
  const bend = side * Math.min(BEND, MAX_BEND / length);
  const middle = { x: from.x + dx / 2 - dy * bend, y: from.y + dy / 2 + dx * bend };
  const start = towards(from, middle, Math.min(0.3 * from.r, length / 3));
  const end = towards(to, middle, Math.min(to.r + 3, length / 3));
  const neck = towards(end, middle, Math.min(tip, length / 4));
  const [nx, ny] = [(end.y - neck.y) / 2, (neck.x - end.x) / 2];
  return {
    line: `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${neck.x} ${neck.y}`,
    tip: `M${end.x} ${end.y}L${neck.x + nx} ${neck.y + ny}L${neck.x - nx} ${neck.y - ny}Z`,
  };
}

/** The point at this distance from one point on the way to another. */
function towards(one: { x: number; y: number }, other: { x: number; y: number }, distance: number): { x: number; y: number } {
  const length = Math.hypot(other.x - one.x, other.y - one.y) || 1;
  return { x: one.x + ((other.x - one.x) * distance) / length, y: one.y + ((other.y - one.y) * distance) / length };
}
