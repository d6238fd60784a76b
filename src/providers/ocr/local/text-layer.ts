import type { LayerFacts, TextPage } from '../../../content/format.ts';
import type { Problem } from '../../../domain/problem.ts';
import type { Page, Word } from '../../../domain/transcription.ts';

/** What was read of one page. */
export interface PageReading {
  page?: Page;
  problem?: Problem;
}

/** What the file carries as text for a page, with what is known about it. */
interface TextLayer extends LayerFacts {
  words: readonly Word[];
}

/** A layer that says nothing of the page, one to compare with what the page shows, or one to take as it is. */
export type Trust = 'useless' | 'doubtful' | 'trusted';

const MAX_GARBAGE = 0.3;
/** A scan with a stamp or a running title laid over it. */
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

/** Takes the text that came with the page, unless what the page shows says otherwise. */
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
  const message = `Page ${text.number}: words of the text layer that the page does not show were left out`;
  return {
    page: visiblePart(text, visible, seen),
    problem: { code: 'TEXT_LAYER_IGNORED', message },
  };
}

function trustInPage(text: TextPage | undefined): Trust | 'none' {
  if (!text) return 'none';
  return text.layer ? trustIn({ ...text.layer, words: text.words }) : 'trusted';
}

/** The page as far as its text layer goes. One that has none is left out, unless nobody wants it to be looked at. */
export function withoutOcr(number: number, text: TextPage | undefined, why?: string): PageReading {
  if (trustInPage(text) === 'trusted' && text) return { page: nativePage(text) };
  const problem: Problem = {
    code: 'OCR_SKIPPED',
    message: `Page ${number} was not read by OCR${why === undefined ? ', as asked for' : `: ${why}`}`,
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

/** Words in plain sight are exact where recognition may err; a layer of which nothing is in sight is of no use. */
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

/** Less than half of the words are to be seen on the page. Words in letters the recogniser does not know prove nothing. */
export function contradicts(words: readonly string[], seen: Pick<Page, 'text'>): boolean {
  const visible = squeeze(seen.text);
  const wanted = words.map(squeeze).filter((word) => /^[\p{Script=Latin}\p{N}]{2,}$/u.test(word));
  return wanted.filter((word) => visible.includes(word)).length < wanted.length / 2;
}

/** Recognition errs in spaces and punctuation first. */
const squeeze = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
