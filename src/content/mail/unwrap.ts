import type { Email } from 'postal-mime';
import { isSignedData, unwrapSignedData } from './signed-content.ts';

type Attached = Email['attachments'][number];

/** Fields that describe the body, which is replaced. */
const bodyField = /^(content-|mime-version:)/i;

/**
 * The message inside an opaque-signed part (S/MIME): the signed content under the header of the
 * message around it. Undefined for other parts, and if the part is damaged.
 */
export function unwrapSigned(email: Email, attachment: Attached): Buffer | undefined {
  if (!/^application\/(x-)?pkcs7-mime$/i.test(attachment.mimeType)) return undefined;
  const bytes = toBuffer(attachment.content);
  const content = isSignedData(bytes) ? unwrapSignedData(bytes) : undefined;
  if (!content) return undefined;
  return underHeader(
    email.headerLines.map(({ line }) => line),
    content,
  );
}

/** A message whose body, which begins with its own fields, comes from elsewhere. */
export function underHeader(lines: readonly string[], content: Buffer): Buffer {
  const kept = lines.filter((line) => !bodyField.test(line)).map((line) => `${line}\r\n`);
  return Buffer.concat([Buffer.from(kept.join('')), Buffer.from('MIME-Version: 1.0\r\n'), content]);
}

export function toBuffer(content: Attached['content']): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
}
