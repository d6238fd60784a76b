export type Point = readonly [x: number, y: number];
/** Corners clockwise from the top left, in reading direction. */
export type Quad = readonly [Point, Point, Point, Point];

export interface Rectangle {
  centre: Point;
  /** Unit vector along `length`. */
  axis: Point;
  length: number;
  breadth: number;
}

export const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay);

/** Andrew's monotone chain. Sorts the given array in place. */
export function convexHull(points: Point[]): Point[] {
  points.sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  return [...chain(points), ...chain(points.toReversed())];
}

function chain(points: readonly Point[]): Point[] {
  const vertices: Point[] = [];
  for (const point of points) {
    for (;;) {
      const [a, b] = vertices.slice(-2);
      if (!a || !b || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0)
        break;
      vertices.pop();
    }
    vertices.push(point);
  }
  return vertices.slice(0, -1);
}

/** The minimum-area rectangle of a convex polygon shares a side with one of its edges. */
export function smallestRectangle(hull: readonly Point[]): Rectangle | undefined {
  let best: Rectangle | undefined;
  for (const [i, from] of hull.entries()) {
    const to = hull[(i + 1) % hull.length] ?? from;
    const edge = distance(from, to);
    if (edge === 0) continue;
    const fitted = rectangleAlong([(to[0] - from[0]) / edge, (to[1] - from[1]) / edge], hull);
    if (!best || fitted.length * fitted.breadth < best.length * best.breadth) best = fitted;
  }
  return best;
}

function rectangleAlong(axis: Point, hull: readonly Point[]): Rectangle {
  const [ux, uy] = axis;
  let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of hull) {
    const u = x * ux + y * uy;
    const v = y * ux - x * uy;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }
  const [u, v] = [(minU + maxU) / 2, (minV + maxV) / 2];
  return {
    axis,
    centre: [u * ux - v * uy, u * uy + v * ux],
    length: maxU - minU,
    breadth: maxV - minV,
  };
}

/** Corners of a rectangle, ordered so that the first side points right. */
export function toCorners({ centre, axis, length, breadth }: Rectangle): Quad {
  const upright = Math.abs(axis[0]) >= Math.abs(axis[1]);
  const [dx, dy] = upright ? axis : [-axis[1], axis[0]];
  const [w, h] = upright ? [length, breadth] : [breadth, length];
  const sign = dx < 0 ? -1 : 1;
  const [ux, uy] = [(sign * dx * w) / 2, (sign * dy * w) / 2];
  const [vx, vy] = [(-sign * dy * h) / 2, (sign * dx * h) / 2];
  const [x, y] = centre;
  return [
    [x - ux - vx, y - uy - vy],
    [x + ux - vx, y + uy - vy],
    [x + ux + vx, y + uy + vy],
    [x - ux + vx, y - uy + vy],
  ];
}
