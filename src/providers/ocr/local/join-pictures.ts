import { pictureMark, replaceMarks } from '../../../content/pictures/mark.ts';
import type { Box, Page } from '../../../domain/transcription.ts';
import type { OcrPageOutput } from '../../../recognition/page.ts';

export type PictureReadings = ReadonlyMap<number, OcrPageOutput | undefined>;

/** Puts the text of pictures where their marks are. */
export function replacePictures(page: Page, readings: PictureReadings): Page {
  const { text, placed } = replaceMarks(page.text, (number) => readings.get(number)?.text);
  if (placed.length === 0) return { ...page, text };
  return { ...page, text, pictures: placed.map(({ at, length }) => ({ at, length })) };
}

export interface SeenPicture {
  box: Box;
  seen: OcrPageOutput;
}

/** Puts the text of pictures, and their words, behind the words of the page above them. */
export function joinPictures(page: Page, pictures: readonly SeenPicture[]): Page {
  if (pictures.length === 0) return page;
  const places = pictures
    .map((picture) => ({ ...picture, behind: countWordsBefore(page, picture.box) }))
    .toSorted((a, b) => a.behind - b.behind);
  const marked: string[] = [];
  const words: Page['words'] = [];
  let [at, taken] = [0, 0];
  for (const [number, { behind, box, seen }] of places.entries()) {
    const end = offsetBehind(page, { taken, at }, behind);
    marked.push(page.text.slice(at, end), pictureMark(number));
    words.push(...page.words.slice(taken, behind), ...shifted(seen.words, box));
    [at, taken] = [end, behind];
  }
  marked.push(page.text.slice(at));
  words.push(...page.words.slice(taken));
  const { text, placed } = replaceMarks(marked.join(''), (number) => places[number]?.seen.text);
  const found = placed.map(({ number, ...place }) => ({ ...place, box: places[number]?.box }));
  return { ...page, text, words, pictures: found };
}

/** A picture follows the text above it in its column; without any, that above it on the page. */
function countWordsBefore({ words }: Page, [left, top, right]: Box): number {
  const isAbove = ({ box }: Page['words'][number]) => box[3] <= top;
  const inColumn = words.findLastIndex(
    (word) => isAbove(word) && word.box[0] < right && word.box[2] > left,
  );
  return (inColumn >= 0 ? inColumn : words.findLastIndex(isAbove)) + 1;
}

/** The end of the text of the first `count` words. Words are in the order of the text. */
function offsetBehind(
  { text, words }: Page,
  { taken, at }: { taken: number; at: number },
  count: number,
): number {
  return words.slice(taken, count).reduce((end, { text: word }) => {
    const found = text.indexOf(word, end);
    return found < 0 ? end : found + word.length;
  }, at);
}

function shifted(words: Page['words'], [x, y]: Box): Page['words'] {
  return words.map(({ box: [left, top, right, bottom], ...word }) => ({
    ...word,
    box: [left + x, top + y, right + x, bottom + y],
  }));
}
