import { type Raster, turn } from '../image/raster.ts';
import { type Crop, cropOf, cropTensor, LINE_HEIGHT } from './crop.ts';
import { detectLines } from './detect.ts';
import { distance, type Point, type Quad } from './geometry.ts';
import { directionClassifier, type Script } from './models.ts';
import { recogniseLines } from './recognise.ts';

const ELONGATED = 1.8;
const CLASSIFIER_WIDTH = 192;
const VOTERS = 9;

export interface Upright {
  page: Raster;
  quads: Quad[];
}

/** Turns a page that lies on its side or stands on its head; says where its lines are. */
export async function turnUpright(page: Raster, script: Script): Promise<Upright> {
  const first = { page, quads: await detectLines(page) };
  const lying = isSideways(first.quads) ? await turned(page, 1) : first;
  return (await isUpsideDown(lying, script)) ? await turned(lying.page, 2) : lying;
}

async function turned(page: Raster, quarters: 1 | 2): Promise<Upright> {
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

/** A quick look at the beginnings of the widest lines; a page is turned only if it then reads better. */
async function isUpsideDown({ page, quads }: Upright, script: Script): Promise<boolean> {
  const voters = quads
    .map(cropOf)
    .toSorted((a, b) => b.width - a.width)
    .slice(0, VOTERS)
    .map((crop) => cropOf(beginningOf(crop)));
  if (voters.length === 0) return false;
  const { data } = await (await directionClassifier()).run(cropTensor(page, voters, CLASSIFIER_WIDTH), [
    voters.length,
    3,
    LINE_HEIGHT,
    CLASSIFIER_WIDTH,
  ]);
  const against = voters.filter((_, i) => (data[2 * i + 1] ?? 0) > (data[2 * i] ?? 0)).length;
  if (against <= voters.length / 2) return false;
  const flipped = voters.map((crop) => ({ ...crop, quad: flip(crop.quad) }));
  return (await sureness(page, flipped, script)) > (await sureness(page, voters, script));
}

async function sureness(page: Raster, crops: readonly Crop[], script: Script): Promise<number> {
  const glyphs = (await recogniseLines(page, crops, script)).flatMap((line) => line.glyphs);
  return glyphs.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, glyphs.length);
}

/** As much of a line as the classifier takes without squeezing it. */
function beginningOf({ quad: [a, b, c, d], width }: Crop): Quad {
  const share = Math.min(1, CLASSIFIER_WIDTH / width);
  const along = (from: Point, to: Point): Point => [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
  ];
  return [a, along(a, b), along(d, c), d];
}

const flip = ([a, b, c, d]: Quad): Quad => [c, d, a, b];
