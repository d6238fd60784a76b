import type { Word } from '../transcription.ts';

/**
 * Words into rows, top to bottom, each left to right. A word joins the row whose last word it is level with, so rows
 * that climb or sink across the page stay whole.
 */
export function rowsOf(words: readonly Word[]): Word[][] {
  const rows: Word[][] = [];
  for (const word of words.toSorted((a, b) => a.box[0] - b.box[0])) {
    const row = nearestRow(rows, word);
    if (row) row.push(word);
    else rows.push([word]);
  }
  return rows.sort((a, b) => middleOfRow(a) - middleOfRow(b));
}

function nearestRow(rows: readonly Word[][], word: Word): Word[] | undefined {
  let nearest: Word[] | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const last = row.at(-1);
    if (!last || overlapsSideways(last, word)) continue;
    const apart = Math.abs(middle(last) - middle(word));
    if (apart < distance && apart < 0.5 * Math.max(height(last), height(word)) && apart < levelOf(last, word)) {
      nearest = row;
      distance = apart;
    }
  }
  return nearest;
}

/** Marks such as a dash are low, so only words of some height tell how far apart two of one row may be. */
function levelOf(a: Word, b: Word): number {
  const low = Math.min(height(a), height(b));
  const high = Math.max(height(a), height(b));
  return low < 0.5 * high ? 0.5 * high : 0.7 * low;
}

/** Two words of one row stand side by side; where one lies over half of the other they are in different rows. */
function overlapsSideways(a: Word, b: Word): boolean {
  const shared = Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0]);
  return shared > 0.5 * Math.min(a.box[2] - a.box[0], b.box[2] - b.box[0]);
}

function middle({ box: [, top, , bottom] }: Word): number {
  return (top + bottom) / 2;
}

function height({ box: [, top, , bottom] }: Word): number {
  return bottom - top;
}

function middleOfRow(row: readonly Word[]): number {
  return row.reduce((sum, word) => sum + middle(word), 0) / row.length;
}
