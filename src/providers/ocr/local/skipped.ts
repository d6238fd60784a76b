import type { Problem } from '../../../domain/problem.ts';
import type { Reading } from './reading.ts';

export function skipped(page: number, why?: string): Problem {
  const because = why === undefined ? ', as asked for' : `: ${why}`;
  return { code: 'OCR_SKIPPED', message: `Page ${page} was not read by OCR${because}` };
}

/** Pages that can only be seen, and were not looked at. */
export function skippedPages(count: number): Reading {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const quality = { score: 0, defects: [] };
  return {
    pages: numbers.map((number) => ({ number, width: 0, height: 0, text: '', words: [], quality, native: false })),
    embedded: [],
    problems: numbers.map((number) => skipped(number)),
  };
}
