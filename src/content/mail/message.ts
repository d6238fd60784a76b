import { writeFile } from 'node:fs/promises';
import type { Attachment, Email } from 'postal-mime';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { findOmission } from './omission.ts';
import { parseMessage } from './parse.ts';
import { type Part, prefixLength } from './part.ts';
import { toBuffer, unwrapSigned } from './unwrap.ts';

/** Unpacks the attachments of a message. Its text is read from the message itself. */
export async function* unpackMessage({
  path,
  directory,
  limits,
  skip,
}: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const email = await parseMessage(path);
  const budget = new Budget(limits);
  const shown = new Set(email.html?.match(/(?<=\bcid:)[^"'\s>)]+/gi));
  for (const [position, attachment] of email.attachments.entries()) {
    if (position < skip) continue;
    const part = partOf(email, attachment, position + 1, shown);
    const place = { position, name: part.name };
    const omission = await findOmission(part);
    const write = (file: string) => writeFile(file, budget.meter([part.bytes]), { flag: 'wx' });
    yield omission ? { ...place, ...omission } : await makeEntryFile(place, directory, write);
  }
}

function partOf(
  email: Email,
  attachment: Attachment,
  number: number,
  shown: ReadonlySet<string>,
): Part {
  const { filename, contentId = '', content } = attachment;
  const signed = unwrapSigned(email, attachment);
  const mediaType = signed ? 'message/rfc822' : attachment.mimeType;
  const extension = mediaType === 'message/rfc822' ? '.eml' : '';
  const bytes = signed ?? toBuffer(content);
  return {
    name: filename || `attachment-${number}${extension}`,
    mediaType,
    bytes,
    begins: bytes.toString('latin1', 0, prefixLength),
    shown: shown.has(contentId.replace(/^<|>$/g, '')),
  };
}
