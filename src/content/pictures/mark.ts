/** U+FFFC is the character that stands for an object in text. */
const bracket = '\ufffc';
const marks = /\ufffc(\d{1,9})\ufffc/g;

/** Stands in the text of a page where a picture is shown, until the picture is read. */
export function pictureMark(number: number): string {
  return `${bracket}${number}${bracket}`;
}

export function listMarks(text: string): string[] {
  return text.match(marks) ?? [];
}

/** Where a picture was put into a text. */
export interface PlacedPicture {
  number: number;
  /** In characters of the text. */
  at: number;
  length: number;
}

/** Replaces each mark by the text of its picture, as lines of its own. Others are removed. */
export function replaceMarks(
  text: string,
  textOf: (number: number) => string | undefined,
): { text: string; placed: PlacedPicture[] } {
  const placed: PlacedPicture[] = [];
  let written = '';
  let end = 0;
  for (const found of text.matchAll(marks)) {
    written += text.slice(end, found.index);
    end = found.index + found[0].length;
    const number = Number(found[1]);
    const inside = textOf(number);
    const startsLine = written === '' || written.endsWith('\n');
    if (inside === undefined) {
      // A line that held nothing else is removed with it.
      if (startsLine && text[end] === '\n') end += 1;
      else if (startsLine && end === text.length) written = written.slice(0, -1);
      continue;
    }
    if (!startsLine) written += '\n';
    const lines = framePicture(inside);
    placed.push({ number, at: written.length, length: lines.length });
    written += lines;
    if (end < text.length && text[end] !== '\n') written += '\n';
  }
  return { text: written + text.slice(end), placed };
}

/** Shows a reader that this text was read from a picture. */
export function framePicture(text: string): string {
  return `[text in picture]\n${text}\n[end of picture]`;
}
