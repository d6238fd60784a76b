import { isPostmark } from '../mailbox/postmark.ts';
import { mailDate } from './date.ts';
import { type HeaderField, parseHeader } from './header.ts';

/** Fields that only mail programs write, and how they look. */
const signs: ReadonlyMap<string, RegExp> = new Map([
  ['received', /\b(from|by|with|for)\b/i],
  ['return-path', /<[^<>]*>|@/],
  ['delivered-to', /@/],
  ['message-id', /<[^<>\s]+>|@/],
  ['mime-version', /^1\.0/],
  ['content-type', /^[a-z]+\/[a-z]/i],
  ['content-transfer-encoding', /^(7bit|8bit|binary|base64|quoted-printable)/i],
  ['dkim-signature', /\bv=1/],
]);

/** Fields that people write as well, at the top of a memo. One of them is in every message; without them it is HTTP. */
const people: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'subject',
]);

/** What kind of mail begins like this, if it is any. A memo, a printed message or a letter is none. */
export function sniffMail(start: string): 'message/rfc822' | 'application/mbox' | undefined {
  const [first = ''] = start.split('\n', 1);
  if (isPostmark(first))
    return isMessage(start.slice(first.length + 1)) ? 'application/mbox' : undefined;
  return isMessage(start.replace(/^\ufeff/, '')) ? 'message/rfc822' : undefined;
}

function isMessage(text: string): boolean {
  const fields = parseHeader(text);
  if (!fields.some(({ name }) => people.has(name))) return false;
  return fields.some(({ name, value }) => signs.get(name)?.test(value)) || isDatedBySender(fields);
}

function isDatedBySender(fields: readonly HeaderField[]): boolean {
  const fieldOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.value ?? '';
  return fieldOf('from').includes('@') && mailDate(fieldOf('date')) !== undefined;
}
