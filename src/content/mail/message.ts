import { writeFile } from 'node:fs/promises';
import type { Attachment, Email } from 'postal-mime';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { inOneLine, readBody, underHeading } from './body.ts';
import { findOmission } from './omission.ts';
import { parseMessage } from './parse.ts';
import type { Part } from './part.ts';

/** Unpacks a message: first its text, then its attachments. */
export async function unpackMessage({
  path,
  directory,
  limits,
}: UnpackInput): Promise<UnpackedEntry[]> {
  const email = await parseMessage(path);
  const budget = new Budget(limits);
  budget.allow(1 + email.attachments.length);
  const entries: UnpackedEntry[] = [];
  for (const [position, part] of partsOf(email).entries()) {
    const place = { position, name: part.name };
    const omission = await findOmission(part);
    const write = (file: string) => writeFile(file, budget.meter([part.bytes]), { flag: 'wx' });
    entries.push(
      omission ? { ...place, ...omission } : await makeEntryFile(place, directory, write),
    );
  }
  return entries;
}

function partsOf(email: Email): Part[] {
  const shown = new Set(email.html?.match(/(?<=\bcid:)[^"'\s>)]+/gi));
  const text = readBody(email);
  const bytes = Buffer.from(text && underHeading(email, text));
  return [
    {
      name: nameOf(email),
      mediaType: 'text/plain',
      bytes,
      begins: text.slice(0, prefixLength),
      shown: false,
    },
    ...email.attachments.map((attachment, i) => partOf(attachment, i + 1, shown)),
  ];
}

function partOf(attachment: Attachment, number: number, shown: ReadonlySet<string>): Part {
  const { filename, mimeType, contentId = '', content } = attachment;
  const extension = mimeType === 'message/rfc822' ? '.eml' : '';
  const bytes =
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
  return {
    name: filename || `attachment-${number}${extension}`,
    mediaType: mimeType,
    bytes,
    begins: bytes.toString('latin1', 0, prefixLength),
    shown: shown.has(contentId.replace(/^<|>$/g, '')),
  };
}

/** Number of leading characters needed to recognise a part. */
const prefixLength = 64;

function nameOf({ subject = '' }: Email): string {
  const name = inOneLine(subject).replace(/[\\/]+/g, '-');
  return `${[...name].slice(0, 100).join('') || 'message'}.txt`;
}
