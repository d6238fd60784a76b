import { writeFile } from 'node:fs/promises';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { headingOf } from '../mail/body.ts';
import { findOmission } from '../mail/omission.ts';
import { type Part, prefixLength } from '../mail/part.ts';
import { isSignedData, unwrapSignedData } from '../mail/signed-content.ts';
import { underHeader } from '../mail/unwrap.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { readMapiBody } from './body.ts';
import type { MapiAttachment, MapiMessage } from './message.ts';
import { openOutlook } from './open.ts';
import { readPeople } from './people.ts';
import { ids } from './property-ids.ts';

/** Unpacks the attachments of a message, attached messages among them. */
export async function* unpackOutlook(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const { directory, limits, skip } = input;
  const message = await openOutlook(input);
  const { properties, attachments } = message;
  const { html } = readMapiBody(properties, maxBody);
  const shown = new Set(html.match(/(?<=\bcid:)[^"'\s>)]+/gi));
  const budget = new Budget(limits);
  for (const [position, attachment] of attachments.entries()) {
    if (position < skip) continue;
    const content = attachment.content();
    const name = nameOf(attachment, position + 1, content?.extension);
    const place = { position, name };
    if (!content) {
      yield { ...place, kind: 'exception', reason: describeLink(attachment) };
      continue;
    }
    const part = unwrapPart(partOf(attachment, name, content.bytes, shown), message);
    const omission = await findOmission(part);
    const write = (file: string) => writeFile(file, budget.meter([part.bytes]), { flag: 'wx' });
    yield omission ? { ...place, ...omission } : await makeEntryFile(place, directory, write);
  }
}

const maxBody = 1_000_000;

/** Attached messages are named by their subject, so they need an extension. */
function nameOf({ properties }: MapiAttachment, number: number, extension = ''): string {
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

/** A signed message has one attachment: its original body. It gets the header of the message. */
function unwrapPart(part: Part, message: MapiMessage): Part {
  const isOpaque =
    /^application\/(x-)?pkcs7-mime$/.test(part.mediaType) && isSignedData(part.bytes);
  const content = isOpaque ? unwrapSignedData(part.bytes) : part.bytes;
  if (!content || !(isOpaque || part.mediaType === 'multipart/signed')) return part;
  const bytes = underHeader(headerLines(message), content);
  return { ...part, mediaType: 'message/rfc822', bytes, begins: 'From' };
}

function headerLines(message: MapiMessage): string[] {
  const { from = '', to, cc } = readPeople(message);
  const time = message.properties.time(ids.submitTime);
  const fields = {
    From: from,
    To: to.join(', '),
    Cc: cc.join(', '),
    Date: time ? new Date(time).toUTCString() : '',
    Subject: message.properties.text(ids.subject) ?? '',
  };
  return headingOf(fields).split('\n');
}

/** Attachments often have no type. Only images are treated differently by it. */
function typeByName(name: string): string {
  return /\.(png|jpe?g|gif|bmp)$/i.test(name) ? 'image/*' : '';
}

function describeLink({ properties }: MapiAttachment): string {
  const path = properties.text(ids.attachPath);
  return path ? `The attachment is only a link to ${path}` : 'The attachment has no content';
}
