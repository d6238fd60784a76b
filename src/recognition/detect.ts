import { type Raster, resize } from '../content/image/raster.ts';
import { type Point, type Quad, toCorners } from './geometry.ts';
import { detector } from './models.ts';
import { findRegions } from './regions.ts';
import { typeSize } from './type-size.ts';

const MAX_PIXELS = 1_600_000;
const MIN_PIXELS = 400_000;
/** Letter height in pixels that detection needs; more only costs time. */
const LETTERS = 10;
const STRIDE = 32;
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;

export async function detectLines(page: Raster): Promise<Quad[]> {
  const { data: input, shape } = await detectorInput(page);
  const [, , height, width] = shape;
  const { data } = await (await detector()).run(input, shape);
  const [sx, sy] = [page.width / width, page.height / height];
  const toPage = ([x, y]: Point): Point => [x * sx, y * sy];
  return findRegions({ data, width, height }).map((region) => {
    const [a, b, c, d] = toCorners(region);
    return [toPage(a), toPage(b), toPage(c), toPage(d)];
  });
}

export async function detectorInput(page: Raster): Promise<{
  data: Float32Array;
  shape: readonly [batch: 1, colours: 3, height: number, width: number];
}> {
  const scale = scaleFor(page);
  const width = toStride(page.width * scale);
  const height = toStride(page.height * scale);
  return { data: planes(await resize(page, width, height)), shape: [1, 3, height, width] };
}

function scaleFor(page: Raster): number {
  const pixels = page.width * page.height;
  const letters = typeSize(page) ?? LETTERS;
  return Math.min(
    1,
    Math.sqrt(MAX_PIXELS / pixels),
    Math.max(LETTERS / letters, Math.sqrt(MIN_PIXELS / pixels)),
  );
}

const toStride = (pixels: number): number => Math.max(STRIDE, Math.round(pixels / STRIDE) * STRIDE);

/** One plane per colour channel, normalised as in training. */
function planes({ data, width, height }: Raster): Float32Array {
  const size = width * height;
  const tensor = new Float32Array(3 * size);
  const [reds, greens, blues] = [scaled(0), scaled(1), scaled(2)];
  for (let to = 0, from = 0; to < size; to += 1, from += 3) {
    tensor[to] = reds[data[from] ?? 0] ?? 0;
    tensor[to + size] = greens[data[from + 1] ?? 0] ?? 0;
    tensor[to + 2 * size] = blues[data[from + 2] ?? 0] ?? 0;
  }
  return tensor;
}

/** Lookup table from colour level to normalised value. */
const scaled = (colour: 0 | 1 | 2): Float32Array =>
  Float32Array.from(
    { length: 256 },
    (_, level) => (level / 255 - MEAN[colour]) / DEVIATION[colour],
  );
