import type { Raster } from '../content/image/raster.ts';
import { type Crop, cropTensor, LINE_HEIGHT } from './crop.ts';
import { decodeCtc, type Glyph } from './ctc.ts';
import { addGapSpaces } from './gaps.ts';
import { type Recogniser, recogniser, type Script } from './models.ts';
import { narrow } from './narrow.ts';

const BATCH = 8;
const MIN_WIDTH = 64;
const WIDTH_STEP = 8;
/** Maximum width ratio within a batch: lines are padded to the widest, and padding costs time. */
const SIMILAR = 1.1;

export interface Line {
  crop: Crop;
  glyphs: Glyph[];
}

/** Recognises lines. The result is ordered by line width. */
export async function recogniseLines(
  page: Raster,
  crops: readonly Crop[],
  script: Script,
): Promise<Line[]> {
  const model = await recogniser(script);
  const lines: Line[] = [];
  const narrowed = crops.map((crop) => narrow(page, crop));
  for (const batch of batches(narrowed)) lines.push(...(await recogniseBatch(page, batch, model)));
  return lines;
}

function* batches(crops: readonly Crop[]): Generator<Crop[]> {
  let batch: Crop[] = [];
  for (const crop of crops.toSorted((a, b) => a.width - b.width)) {
    const [narrowest] = batch;
    if (
      narrowest &&
      (batch.length === BATCH || crop.width > narrowest.width * SIMILAR + WIDTH_STEP)
    ) {
      yield batch;
      batch = [];
    }
    batch.push(crop);
  }
  if (batch.length > 0) yield batch;
}

async function recogniseBatch(
  page: Raster,
  crops: readonly Crop[],
  model: Recogniser,
): Promise<Line[]> {
  const widest = Math.max(MIN_WIDTH, ...crops.map(({ width }) => width));
  const stride = Math.ceil(widest / WIDTH_STEP) * WIDTH_STEP;
  const tensor = cropTensor(page, crops, stride);
  const plane = LINE_HEIGHT * stride;
  // The runtime uses the tensor's memory without a copy, but does not modify it.
  const { data, shape } = await model.run(tensor, [crops.length, 3, LINE_HEIGHT, stride]);
  const [, steps = 0, classes = 0] = shape;
  return crops.map((crop, i) => {
    const scores = data.subarray(i * steps * classes, (i + 1) * steps * classes);
    const glyphs = decodeCtc({ data: scores, steps, classes }, model.alphabet, stride / steps);
    const green = tensor.subarray((3 * i + 1) * plane, (3 * i + 2) * plane);
    return { crop, glyphs: addGapSpaces(glyphs, green, stride, crop) };
  });
}
