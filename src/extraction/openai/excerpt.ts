import type { Transcription } from '../../domain/transcription.ts';

/**
 * The document as text for a model, limited to `maxTokens`: the first and last pages, and as many
 * pages between as fit.
 */
export function excerpt({ pages, embedded }: Transcription, maxTokens: number): string {
  let left = maxTokens;
  const take = (text: string): string => {
    const taken = cut(text, left);
    left -= estimateTokens(taken);
    return taken;
  };
  const files = embedded.map(({ name, text }) =>
    take(`[embedded file ${JSON.stringify(name)}]\n${visible(text)}`),
  );
  const kept = new Map<number, string>();
  for (const index of outsideIn(pages.length)) {
    if (left <= 0) break;
    kept.set(index, take(`[page ${pages[index]?.number}]\n${visible(pages[index]?.text ?? '')}`));
  }
  return [...files, ...withGaps(kept, pages.length)].filter(Boolean).join('\n\n');
}

/**
 * A conservative estimate: Latin text has about four characters per token, other scripts as few as
 * one.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u0250-\uffff]/g)?.length ?? 0;
  return Math.ceil((text.length - wide) / 3 + wide);
}

/** First, last, second, last but one … */
function outsideIn(length: number): number[] {
  return Array.from({ length }, (_, i) => (i % 2 === 0 ? i / 2 : length - (i + 1) / 2));
}

function withGaps(kept: Map<number, string>, total: number): string[] {
  const parts: string[] = [];
  for (let index = 0; index < total; index++) {
    const text = kept.get(index);
    const gapStarts = text === undefined && (index === 0 || kept.has(index - 1));
    if (text !== undefined) parts.push(text);
    else if (gapStarts) parts.push('[pages left out]');
  }
  return parts;
}

function cut(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return text;
  // The number of tokens is not proportional to the length, so check again.
  const shorter = text.slice(0, Math.max(0, Math.floor((text.length * maxTokens) / tokens) - 1));
  return cut(shorter, maxTokens);
}

/**
 * Removes characters that are invisible to people but read by models: Unicode tags, bidirectional
 * and other controls.
 */
function visible(text: string): string {
  return text.replace(/[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069\p{Cc}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : ' ',
  );
}
