import type { Problem } from './problem.ts';
import { joinText, type Transcription } from './transcription.ts';

/** Why a document has no text, if it has none and no other problem explains it. */
export function findMissingText(transcription: Transcription): Problem[] {
  const { pages, problems } = transcription;
  if (problems.some(({ code }) => explanations.has(code))) return [];
  if (joinText(transcription).trim() !== '') return [];
  return [{ code: 'TEXT_UNAVAILABLE', ...describeEmptiness(pages) }];
}

const explanations: ReadonlySet<string> = new Set(['TEXT_UNAVAILABLE', 'OCR_SKIPPED', 'TRUNCATED']);

function describeEmptiness(pages: Transcription['pages']): Omit<Problem, 'code'> {
  if (pages.every(({ native }) => native)) return { message: 'The document contains no text' };
  if (pages.every(({ quality }) => quality.score === 1)) return { message: 'All pages are blank' };
  const isDark = pages.some(({ quality }) => quality.defects.includes('dark'));
  const reason = isDark
    ? 'the pages are black, or too dark'
    : 'the pages show pictures only, or are blurred beyond reading';
  return { message: `No text could be read: ${reason}`, review: true };
}
