import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { capText } from '../../domain/transcription.ts';
import { PermanentError } from '../../errors.ts';
import { printable } from '../../lib/printable.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { decodeText } from './decode-text.ts';

/** Covers the maximum text length in any encoding. */
const maxBytes = 40_000_000;

/** XML files are also returned as embedded data, for e-invoices. */
export async function inspectText({ path, mediaType }: ContentFile): Promise<Inspection> {
  const text = await decodeFile(path);
  const embedded =
    mediaType === 'application/xml' ? [{ name: basename(path), mediaType, text }] : [];
  return { pages: splitPages(text).length, encrypted: false, embedded };
}

export async function readText({ path, first, last, maxText }: TextInput): Promise<TextOutput> {
  const pages = splitPages(await decodeFile(path)).map((text, i) => ({
    number: i + 1,
    width: 0,
    height: 0,
    text,
    words: [],
  }));
  return capText(pages.slice(first - 1, last), maxText);
}

/** Form feeds separate pages. */
function splitPages(text: string): string[] {
  return text.replace(/\f$/, '').split('\f');
}

async function decodeFile(path: string): Promise<string> {
  const bytes = await readStart(path, maxBytes);
  if (bytes.length === 0) throw new PermanentError('EMPTY_FILE', 'The text file is empty');
  return printable(decodeText(bytes));
}

async function readStart(path: string, limit: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(size, limit)),
      0,
      Math.min(size, limit),
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
