import type { Box } from '../../domain/transcription.ts';
import type { PagePicture } from '../format.ts';
import { areaOf } from './geometry.ts';

/** Pixels per square point at the resolution that pages are read at (200 dpi). */
const pixelsPerArea = (200 / 72) ** 2;
/** A picture with so many words on it is a background, or a scan whose text layer is its text. */
const wordsOfLayer = 3;
/** In points: strips of one picture touch, or nearly so. */
const gap = 1;

/** The pictures of a page. Programs cut large ones into strips, which are joined again. */
export function listPictures(
  images: readonly PagePicture[],
  words: readonly Box[],
  { width, height }: { width: number; height: number },
): PagePicture[] {
  const page: Box = [0, 0, width, height];
  const joined: PagePicture[] = [];
  for (const image of images) {
    let whole = { ...image, box: intersect(image.box, page) };
    if (areaOf(whole.box) === 0) continue;
    for (let at = findTouching(joined, whole.box); at >= 0; at = findTouching(joined, whole.box)) {
      const [other] = joined.splice(at, 1);
      if (other) whole = join(whole, other);
    }
    joined.push(whole);
  }
  return joined
    .filter(({ box }) => words.filter((word) => isOn(box, word)).length < wordsOfLayer)
    .map(({ box, pixels }) => ({ box, pixels: Math.min(pixels, areaOf(box) * pixelsPerArea) }))
    .toSorted((a, b) => a.box[1] - b.box[1]);
}

function findTouching(pictures: readonly PagePicture[], box: Box): number {
  return pictures.findIndex(
    ({ box: of }) =>
      of[0] <= box[2] + gap &&
      box[0] <= of[2] + gap &&
      of[1] <= box[3] + gap &&
      box[1] <= of[3] + gap,
  );
}

function join(one: PagePicture, other: PagePicture): PagePicture {
  const [a, b] = [one.box, other.box];
  const box: Box = [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ];
  return { box, pixels: one.pixels + other.pixels };
}

function intersect(a: Box, b: Box): Box {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

function isOn([left, top, right, bottom]: Box, word: Box): boolean {
  const [x, y] = [(word[0] + word[2]) / 2, (word[1] + word[3]) / 2];
  return x >= left && x <= right && y >= top && y <= bottom;
}
