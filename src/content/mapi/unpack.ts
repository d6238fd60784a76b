import { writeFile } from 'node:fs/promises';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { findOmission } from '../mail/omission.ts';
import { type Part, prefixLength } from '../mail/part.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { readMapiBody } from './body.ts';
import { ids, type MapiAttachment } from './message.ts';
import { openOutlook } from './open.ts';

/** Unpacks the attachments of a message, attached messages among them. */
export async function* unpackOutlook(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const { directory, limits, skip } = input;
  const { properties, attachments } = await openOutlook(input);
  const { html } = readMapiBody(properties, maxBody);
  const shown = new Set(html.match(/(?<=\bcid:)[^"'\s>)]+/gi));
  const budget = new Budget(limits);
  for (const [position, attachment] of attachments.entries()) {
    if (position < skip) continue;
    const name = nameOf(attachment, position + 1);
    const place = { position, name };
    if (!attachment.content) {
      yield { ...place, kind: 'exception', reason: describeLink(attachment) };
      continue;
    }
    const part = partOf(attachment, name, attachment.content.bytes, shown);
    const omission = await findOmission(part);
    const write = (file: string) => writeFile(file, budget.meter([part.bytes]), { flag: 'wx' });
    yield omission ? { ...place, ...omission } : await makeEntryFile(place, directory, write);
  }
}

const maxBody = 1_000_000;

/** Attached messages are named by their subject, so they need an extension. */
function nameOf({ properties, content }: MapiAttachment, number: number): string {
  const { extension = '' } = content ?? {};
  const named = [ids.attachLongName, ids.attachShortName, ids.displayName]
    .map((id) => properties.text(id)?.trim())
    .find(Boolean);
  const name = (named ?? `attachment-${number}`).replace(/[\\/]+/g, '_');
  return name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`;
}

function partOf(
  { properties }: MapiAttachment,
  name: string,
  bytes: Buffer,
  shown: ReadonlySet<string>,
): Part {
  const contentId = properties.text(ids.attachContentId) ?? '';
  return {
    name,
    mediaType: (properties.text(ids.attachMimeType) ?? typeByName(name)).toLowerCase(),
    bytes,
    begins: bytes.toString('latin1', 0, prefixLength),
    shown: contentId !== '' && shown.has(contentId.replace(/^<|>$/g, '')),
  };
}

/** Attachments often have no type. Only images are treated differently by it. */
function typeByName(name: string): string {
  return /\.(png|jpe?g|gif|bmp)$/i.test(name) ? 'image/*' : '';
}

function describeLink({ properties }: MapiAttachment): string {
  const path = properties.text(ids.attachPath);
  return path ? `The attachment is only a link to ${path}` : 'The attachment has no content';
}
