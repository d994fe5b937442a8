// A slanted gradient in SVG, as CSS draws it.

/** From where to where a gradient runs over a box at this angle (0: upward, 90: to the right), corner to corner. */
export function slant(degrees: number, width: number, height: number): { x1: number; y1: number; x2: number; y2: number } {
  const angle = (degrees * Math.PI) / 180;
  const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
  const half = (Math.abs(width * dx) + Math.abs(height * dy)) / 2;
  const [x, y] = [width / 2, height / 2];
  return { x1: x - half * dx, y1: y - half * dy, x2: x + half * dx, y2: y + half * dy };
}
