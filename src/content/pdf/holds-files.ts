import { createReadStream } from 'node:fs';
import { headBytes, type Sample } from '../format.ts';

/** Longer than the dictionary of an attachment usually is. */
const windowBytes = 400;
const attachment = /\/EmbeddedFile(?![A-Za-z])/g;
const xml = /\/Subtype\s*\/(text|application)#2[Ff]xml/;

/**
 * Whether a PDF has files attached, by the words of its file: dictionaries of streams are never
 * compressed. XML is left out: the data of an e-invoice is read together with the PDF.
 */
export async function holdsFiles({ head, file }: Sample): Promise<boolean> {
  if (head.length < headBytes) return hasAttachment(head.toString('latin1'));
  let rest = '';
  for await (const chunk of createReadStream(await file(), { encoding: 'latin1' })) {
    const text = rest + String(chunk);
    if (hasAttachment(text)) return true;
    rest = text.slice(-2 * windowBytes);
  }
  return false;
}

function hasAttachment(text: string): boolean {
  return [...text.matchAll(attachment)].some(
    ({ index }) => !xml.test(text.slice(Math.max(0, index - windowBytes), index + windowBytes)),
  );
}
