import type { Evidence } from '../../domain/extraction.ts';
import type { Transcription } from '../../domain/transcription.ts';

/** Locates each quote in the document. A quote that is not found is kept without a location. */
export function placeQuotes(
  quotes: Record<string, string>,
  document: Transcription,
): Record<string, Evidence> {
  const pages = document.pages.map(({ number, text }) => ({
    place: { page: number },
    text: plain(text),
  }));
  const files = document.embedded.map(({ name, text }) => ({
    place: { source: name },
    text: plain(text),
  }));
  const sources = [...pages, ...files];
  return Object.fromEntries(
    Object.entries(quotes).map(([name, text]) => {
      const source = sources.find((candidate) => candidate.text.includes(plain(text)));
      return [name, { text, ...source?.place }];
    }),
  );
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
