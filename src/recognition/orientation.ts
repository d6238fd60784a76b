import { type Raster, turn } from '../content/image/raster.ts';
import { type Crop, toCrop } from './crop.ts';
import { averageSureness } from './ctc.ts';
import { detectLines } from './detect.ts';
import { distance, type Point, type Quad } from './geometry.ts';
import type { Script } from './models.ts';
import { recogniseLines } from './recognise.ts';

const ELONGATED = 1.8;
const VOTERS = 9;
/** Number of columns that is enough to determine the orientation of a line. */
const GLANCE = 192;

export interface LocatedLines {
  page: Raster;
  quads: Quad[];
}

/** Detects lines. A page that lies on its side is turned by a quarter first. */
export async function locateLines(page: Raster): Promise<LocatedLines> {
  const found = { page, quads: await detectLines(page) };
  return isSideways(found.quads) ? await turned(page, 1) : found;
}

/** Turns the page clockwise by quarter turns and detects its lines. */
export async function turned(page: Raster, quarters: 1 | 2): Promise<LocatedLines> {
  const next = turn(page, quarters);
  return { page: next, quads: await detectLines(next) };
}

function isSideways(quads: readonly Quad[]): boolean {
  let balance = 0;
  for (const [a, b, , d] of quads) {
    const [across, down] = [distance(a, b), distance(a, d)];
    if (Math.max(across, down) > ELONGATED * Math.min(across, down)) balance += across - down;
  }
  return balance < 0;
}

/** Whether the widest lines, cut to their start, read with higher confidence upside down. */
export async function isUpsideDown(
  { page, quads }: LocatedLines,
  script: Script,
): Promise<boolean> {
  const voters = quads
    .map(toCrop)
    .toSorted((a, b) => b.width - a.width)
    .slice(0, VOTERS)
    .map(beginningOf);
  const sureness = async (lines: readonly Quad[]) =>
    averageSureness(
      (await recogniseLines(page, lines.map(toCrop), script)).flatMap((line) => line.glyphs),
    );
  return (await sureness(voters.map(flip))) > (await sureness(voters));
}

function beginningOf({ quad: [a, b, c, d], width }: Crop): Quad {
  const share = Math.min(1, GLANCE / width);
  const along = (from: Point, to: Point): Point => [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
  ];
  return [a, along(a, b), along(d, c), d];
}

const flip = ([a, b, c, d]: Quad): Quad => [c, d, a, b];
