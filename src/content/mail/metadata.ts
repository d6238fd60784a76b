import type { Address, Email } from 'postal-mime';
import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { formatAddress, inOneLine } from './body.ts';
import { isoMailDate } from './date.ts';
import { parseMessage } from './parse.ts';

/** The header of a message. `raw` has its fields as they are, the topmost of each name. */
export async function readMailMetadata({ path }: ContentFile): Promise<Metadata> {
  const email = await parseMessage(path);
  const raw = Object.fromEntries(email.headers.toReversed().map(({ key, value }) => [key, value]));
  return toMetadata({
    subject: inOneLine(email.subject ?? ''),
    from: email.from && addressLine(email.from),
    to: email.to?.map(addressLine),
    cc: email.cc?.map(addressLine),
    bcc: email.bcc?.map(addressLine),
    sent: isoMailDate(raw.date ?? ''),
    // Each server adds its field at the top and ends it with the time.
    received: isoMailDate(raw.received?.split(';').at(-1) ?? ''),
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references?.split(/\s+/),
    importance: importanceOf(raw),
    conversation: conversationOf(email, raw),
    application: raw['x-mailer'] ?? raw['user-agent'],
    language: raw['content-language'],
    raw,
  });
}

function addressLine(address: Address): string {
  return inOneLine(formatAddress(address));
}

/** `X-Priority` is a number from 1, the highest, to 5. */
function importanceOf(raw: Readonly<Record<string, string>>): string | undefined {
  const stated = (raw.importance ?? raw.priority ?? raw['x-msmail-priority'])?.trim().toLowerCase();
  if (stated !== undefined) return { urgent: 'high', 'non-urgent': 'low' }[stated] ?? stated;
  const priority = Number.parseInt(raw['x-priority'] ?? '', 10);
  if (Number.isNaN(priority)) return undefined;
  if (priority === 3) return 'normal';
  return priority < 3 ? 'high' : 'low';
}

/** What a thread is about: its topic, else the subject without `Re:` and the like. */
function conversationOf({ subject = '' }: Email, raw: Readonly<Record<string, string>>): string {
  const topic = raw['thread-topic'] ?? subject;
  return inOneLine(topic).replace(/^((re|aw|fwd?|wg|sv|tr)(\[\d+\])?:\s*)+/i, '');
}
