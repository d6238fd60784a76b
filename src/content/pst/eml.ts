import type { PSTAttachment, PSTMessage } from '@hiraokahypertools/pst-extractor';
import { describeError } from '../../lib/describe-error.ts';
import { readBodies } from './body.ts';
import { describeItem } from './item-fields.ts';
import { addressLine, encodeWord, mimeDate } from './mime.ts';
import { recipientsOf } from './recipients.ts';

/** Messages attached to messages attached to messages: more levels are no work of people. */
const deepest = 20;

/** An item of Outlook as a MIME message, in pieces. */
export async function writeEml(message: PSTMessage, depth = 0): Promise<Buffer[]> {
  const parts: Buffer[][] = [];
  const missing: string[] = [];
  const count = await message.getNumberOfAttachments().catch((error: unknown) => {
    missing.push(`The attachments cannot be read: ${describeError(error)}`);
    return 0;
  });
  for (let number = 0; number < count; number += 1) {
    try {
      parts.push(await attachmentPart(await message.getAttachment(number), number, depth));
    } catch (error) {
      missing.push(`Attachment ${number + 1} cannot be read: ${describeError(error)}`);
    }
  }
  const { text, html, rtf } = readBodies(message);
  if (rtf)
    parts.push(encoded(fileHeader('application/rtf', 'body.rtf'), Buffer.from(rtf, 'latin1')));
  const notes = missing.map((each) => `[${each}]`);
  const plain = [describeItem(message), text, ...notes].filter(Boolean).join('\n\n');
  // All parts are in base64, so no part can contain it.
  const boundary = `=_part-${depth}`;
  const header = await headerOf(message);
  return [
    Buffer.from(
      `${header.join('\r\n')}\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`,
    ),
    ...bodyParts(plain, html, boundary),
    ...parts.flatMap((part) => [delimiter(boundary), ...part]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
}

const delimiter = (boundary: string) => Buffer.from(`\r\n--${boundary}\r\n`);

function bodyParts(plain: string, html: string, boundary: string): Buffer[] {
  const inner = `${boundary}-body`;
  const part = (type: string, text: string) =>
    encoded([`Content-Type: ${type}; charset=utf-8`], Buffer.from(text));
  return [
    delimiter(boundary),
    Buffer.from(`Content-Type: multipart/alternative; boundary="${inner}"\r\n`),
    delimiter(inner),
    ...part('text/plain', plain),
    ...(html ? [delimiter(inner), ...part('text/html', html)] : []),
    Buffer.from(`\r\n--${inner}--\r\n`),
  ];
}

async function headerOf(message: PSTMessage): Promise<string[]> {
  const sent = message.clientSubmitTime ?? message.messageDeliveryTime ?? message.creationTime;
  const from = addressLine([
    {
      name: message.senderName || message.sentRepresentingName,
      address: smtp(message.senderEmailAddress) || smtp(message.sentRepresentingEmailAddress),
    },
  ]);
  const { to, cc, bcc } = await recipientsOf(message);
  const fields = {
    From: from || 'unknown',
    To: to,
    Cc: cc,
    Bcc: bcc,
    Subject: encodeWord(withoutPrefixMark(message.subject)),
    Date: sent ? mimeDate(sent) : '',
    'Message-ID': message.internetMessageId,
    'In-Reply-To': message.inReplyToId,
    'X-Outlook-Class': message.messageClass,
    'MIME-Version': '1.0',
  };
  return Object.entries(fields).flatMap(([name, value]) =>
    value ? `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}` : [],
  );
}

/** A first character of 1 and its follower say where the prefix (`RE:`) ends. */
const withoutPrefixMark = (subject: string): string =>
  subject.charCodeAt(0) === 1 ? subject.slice(2) : subject;

/** Addresses inside Exchange are paths (`/O=…/CN=…`). */
const smtp = (address: string): string => (address.includes('@') ? address : '');

const methods = { byReference: [2, 3, 4, 7], embedded: 5 };

async function attachmentPart(
  attachment: PSTAttachment,
  number: number,
  depth: number,
): Promise<Buffer[]> {
  const name = attachment.longFilename || attachment.filename || attachment.displayName;
  const embedded = await attachment.getEmbeddedPSTMessage();
  if (embedded) {
    if (depth >= deepest) throw new Error(`it is nested ${depth} levels deep`);
    const eml = Buffer.concat(await writeEml(embedded, depth + 1));
    return encoded(fileHeader('message/rfc822', `${name || embedded.subject || number}.eml`), eml);
  }
  const { fileData } = attachment;
  if (fileData) {
    const header = fileHeader(
      attachment.mimeTag || 'application/octet-stream',
      name || `${number}`,
    );
    const { contentId } = attachment;
    return encoded(
      contentId ? [...header, `Content-ID: <${contentId}>`] : header,
      Buffer.from(fileData),
    );
  }
  const place = attachment.longPathname || attachment.pathname;
  if (methods.byReference.includes(attachment.attachMethod) && place)
    throw new Error(`it is a reference to ${place}, which is not in the mailbox`);
  throw new Error(`it has no content (method ${attachment.attachMethod})`);
}

function fileHeader(type: string, name: string): string[] {
  const isType = /^[\w.+-]+\/[\w.+-]+$/.test(type);
  const file = encodeURIComponent(name.replaceAll(/\p{Cc}/gu, ' '));
  return [
    `Content-Type: ${isType ? type : 'application/octet-stream'}`,
    `Content-Disposition: attachment; filename*=utf-8''${file}`,
  ];
}

function encoded(header: readonly string[], bytes: Buffer): Buffer[] {
  const lines = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const head = [...header, 'Content-Transfer-Encoding: base64', '', ''].join('\r\n');
  return [Buffer.from(head), Buffer.from(lines, 'latin1')];
}
