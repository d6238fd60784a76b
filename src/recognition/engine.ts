import { type Raster, resize } from '../content/image/raster.ts';
import type { Rotation, Word } from '../domain/transcription.ts';
import { median } from '../lib/quantile.ts';
import { toCrop } from './crop.ts';
import { averageSureness } from './ctc.ts';
import { detectLines } from './detect.ts';
import type { Quad } from './geometry.ts';
import type { Script } from './models.ts';
import { isUpsideDown, type LocatedLines, locateLines, turned } from './orientation.ts';
import { lineText, printedLines } from './reading-order.ts';
import { recogniseLines } from './recognise.ts';
import { measureSkew } from './skew.ts';
import { splitWords } from './words.ts';

export interface Recognition {
  upright: Raster;
  /** How the page was turned; absent if it was upright. */
  rotation?: Rotation;
  skewDegrees: number;
  /** In reading order; boxes in pixels of the upright page. */
  words: Word[];
  text: string;
}

const SMALL_TEXT = 18;
const ENLARGE = 2;
/** Upside-down pages have a mean confidence below 0.5, upright ones rarely below 0.9. */
const MIN_UPRIGHT_CONFIDENCE = 0.75;

export async function recognisePage(page: Raster, script: Script): Promise<Recognition> {
  const located = await locateLines(page);
  const first = await readLines(located, script);
  const isDoubtful =
    averageSureness(first.lines.flatMap(({ glyphs }) => glyphs)) < MIN_UPRIGHT_CONFIDENCE;
  const isTurned = isDoubtful && (await isUpsideDown(located, script));
  const { upright, lines, skew, factor } = isTurned
    ? await readLines(await turned(located.page, 2), script)
    : first;
  const printed = printedLines(
    lines.map((line) => ({ ...line.crop, words: splitWords(line) })),
    skew,
  );
  const words = printed.flat().map((word) => ({ ...word, box: shrink(word.box, factor) }));
  const rotation = toRotation(located.page !== page, isTurned);
  return {
    upright,
    ...(rotation && { rotation }),
    skewDegrees: (skew * 180) / Math.PI,
    words,
    text: printed.map(lineText).join('\n'),
  };
}

function toRotation(wasSideways: boolean, wasUpsideDown: boolean): Rotation | undefined {
  if (wasSideways) return wasUpsideDown ? 270 : 90;
  return wasUpsideDown ? 180 : undefined;
}

async function readLines(located: LocatedLines, script: Script) {
  const { page, quads, factor } = await enlargeSmallText(located);
  const lines = await recogniseLines(page, quads.map(toCrop), script);
  return { upright: located.page, lines, skew: measureSkew(quads), factor };
}

/** The models need a minimum line height. Below it, upscaling improves recognition. */
async function enlargeSmallText({
  page,
  quads,
}: LocatedLines): Promise<LocatedLines & { factor: number }> {
  const height = median(quads.map((quad) => toCrop(quad).height));
  if (quads.length === 0 || height >= SMALL_TEXT) return { page, quads, factor: 1 };
  const enlarged = await resize(page, page.width * ENLARGE, page.height * ENLARGE);
  const again: Quad[] = await detectLines(enlarged);
  return { page: enlarged, quads: again, factor: ENLARGE };
}

function shrink([left, top, right, bottom]: Word['box'], factor: number): Word['box'] {
  return [left / factor, top / factor, right / factor, bottom / factor];
}
