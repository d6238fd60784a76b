import type { LayerFacts, TextPage } from '../../../content/format.ts';
import type { Problem } from '../../../domain/problem.ts';
import type { Page, Word } from '../../../domain/transcription.ts';

export interface PageReading {
  page?: Page;
  problem?: Problem;
}

interface TextLayer extends LayerFacts {
  words: readonly Word[];
}

/** Ignore the text layer, compare it with the OCR result, or use it as it is. */
export type Trust = 'useless' | 'doubtful' | 'trusted';

const MAX_GARBAGE = 0.3;
/** Indicates a scan with a stamp or page header as its only text. */
const MOSTLY_IMAGE = 0.5;
const FEW_WORDS = 15;
const HIDDEN_WORDS = 3;
const HIDDEN_SHARE = 0.2;

export function trustIn({ words, hidden, garbage, imageCoverage }: TextLayer): Trust {
  if (words.length === 0 || garbage > MAX_GARBAGE) return 'useless';
  if (hidden.length >= Math.min(HIDDEN_WORDS, Math.max(1, words.length * HIDDEN_SHARE)))
    return 'doubtful';
  return imageCoverage > MOSTLY_IMAGE && words.length < FEW_WORDS ? 'useless' : 'trusted';
}

/** Uses the text layer unless it is useless or OCR contradicts it. */
export async function compareWithPage(
  text: TextPage | undefined,
  look: () => Promise<Page>,
): Promise<PageReading> {
  const trust = trustInPage(text);
  if (!text || trust === 'none') return { page: await look() };
  if (trust === 'trusted') return { page: nativePage(text) };
  const seen = await look();
  if (trust === 'useless')
    return { page: seen.words.length >= text.words.length ? seen : nativePage(text) };
  const { hidden = [], visible } = text.layer ?? {};
  if (!contradicts(hidden, seen)) return { page: nativePage(text) };
  const message = `Page ${text.number}: invisible words in the text layer were ignored`;
  return {
    page: visiblePart(text, visible, seen),
    problem: { code: 'TEXT_LAYER_IGNORED', message },
  };
}

export function trustInPage(text: TextPage | undefined): Trust | 'none' {
  if (!text) return 'none';
  return text.layer ? trustIn({ ...text.layer, words: text.words }) : 'trusted';
}

/**
 * The page by its text layer alone. A page without one is omitted if OCR failed (`why` is set), and
 * blank if OCR was not requested.
 */
export function withoutOcr(number: number, text: TextPage | undefined, why?: string): PageReading {
  if (trustInPage(text) === 'trusted' && text) return { page: nativePage(text) };
  const cause = why === undefined ? ', as requested' : `: ${why}`;
  const problem: Problem = {
    code: 'OCR_SKIPPED',
    message: `Page ${number} was not read by OCR${cause}`,
  };
  if (text) return { page: nativePage(text), problem };
  return why === undefined ? { page: blankPage(number), problem } : { problem };
}

function blankPage(number: number): Page {
  return {
    number,
    width: 0,
    height: 0,
    text: '',
    words: [],
    quality: { score: 0, defects: [] },
    native: false,
  };
}

/** Prefers the visible words of the text layer to OCR, which may err, if OCR confirms them. */
function visiblePart(text: TextPage, visible: LayerFacts['visible'] | undefined, seen: Page): Page {
  const isSeen =
    visible !== undefined &&
    visible.words.length > 0 &&
    !contradicts(
      visible.words.map((word) => word.text),
      seen,
    );
  return isSeen ? nativePage({ ...text, ...visible }) : seen;
}

export function nativePage({ number, width, height, text, words, layer }: TextPage): Page {
  const score = Math.round((1 - (layer?.garbage ?? 0)) * 1000) / 1000;
  return { number, width, height, text, words, quality: { score, defects: [] }, native: true };
}

/**
 * Whether OCR found less than half of the words. Words in scripts that the recogniser does not know
 * are not counted.
 */
export function contradicts(words: readonly string[], seen: Pick<Page, 'text'>): boolean {
  const visible = squeeze(seen.text);
  const wanted = words.map(squeeze).filter((word) => /^[\p{Script=Latin}\p{N}]{2,}$/u.test(word));
  return wanted.filter((word) => visible.includes(word)).length < wanted.length / 2;
}

/** Drops spaces and punctuation, which OCR gets wrong most often. */
const squeeze = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
