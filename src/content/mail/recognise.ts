import { isPostmark } from '../mailbox/postmark.ts';
import { mailDate } from './date.ts';
import { type HeaderField, parseHeader } from './header.ts';

/** Fields that only mail software writes, with the pattern of their values. */
const mailFields: ReadonlyMap<string, RegExp> = new Map([
  ['received', /\b(from|by|with|for)\b/i],
  ['return-path', /<[^<>]*>|@/],
  ['delivered-to', /@/],
  ['message-id', /<[^<>\s]+>|@/],
  ['mime-version', /^1\.0/],
  ['content-type', /^[a-z]+\/[a-z]/i],
  ['content-transfer-encoding', /^(7bit|8bit|binary|base64|quoted-printable)/i],
  ['dkim-signature', /\bv=1/],
]);

/**
 * Fields that memoFields also write, at the top of a memo. Every message has at least one of them;
 * headers without any are likely HTTP.
 */
const memoFields: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'subject',
]);

/** Recognises mail by its start. Memos, printed messages and letters do not count as mail. */
export function sniffMail(start: string): 'message/rfc822' | 'application/mbox' | undefined {
  const [first = ''] = start.split('\n', 1);
  if (isPostmark(first))
    return isMessage(start.slice(first.length + 1)) ? 'application/mbox' : undefined;
  return isMessage(start.replace(/^\ufeff/, '')) ? 'message/rfc822' : undefined;
}

/** Whether there is anything but one part of text, or a file between the lines of the text. */
export function mayHaveAttachments(start: string): boolean {
  const fields = parseHeader(start.replace(/^\ufeff/, ''));
  const type = fields.find(({ name }) => name === 'content-type')?.value ?? 'text/plain';
  const disposition = fields.find(({ name }) => name === 'content-disposition')?.value ?? '';
  const hasParts = !/^text\/(plain|html)\b/i.test(type) || /^attachment\b/i.test(disposition);
  return hasParts || /^begin(-base64)? [0-7]{3,4} \S/m.test(start);
}

function isMessage(text: string): boolean {
  const fields = parseHeader(text);
  if (isMimeTree(fields)) return true;
  if (!fields.some(({ name }) => memoFields.has(name))) return false;
  return (
    fields.some(({ name, value }) => mailFields.get(name)?.test(value)) || isDatedBySender(fields)
  );
}

/** Web archives (MHT) and signed files have parts like a message, but often no sender. */
function isMimeTree(fields: readonly HeaderField[]): boolean {
  const has = (wanted: string, value: RegExp) =>
    fields.some((field) => field.name === wanted && value.test(field.value));
  return has('mime-version', /^1\.0/) && has('content-type', /^multipart\//i);
}

function isDatedBySender(fields: readonly HeaderField[]): boolean {
  const fieldOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.value ?? '';
  return fieldOf('from').includes('@') && mailDate(fieldOf('date')) !== undefined;
}
