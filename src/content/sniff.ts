import type { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { mailTypeOf } from './mail/recognise.ts';

/** Enough for every signature that is looked for, and for a zip to show what it holds. */
const headBytes = 64 * 1024;

/** The real type of a document, by its first bytes and never by its name. */
export async function sniff(source: Readable): Promise<string> {
  const head = await firstBytes(source);
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  if (known) return known.mime;
  const text = head.toString('utf8');
  // A message may carry bytes that are no text: its header decides.
  return mailTypeOf(text) ?? (isText(head) ? textType(text) : 'application/octet-stream');
}

async function firstBytes(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= headBytes) break;
  }
  source.destroy();
  return Buffer.concat(chunks).subarray(0, headBytes);
}

/** Text has no NUL and hardly any control characters, whatever its encoding. */
function isText(head: Buffer): boolean {
  if (head[0] === 0xff && head[1] === 0xfe) return true;
  if (head[0] === 0xfe && head[1] === 0xff) return true;
  if (head.includes(0)) return false;
  const controls = head.filter((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13).length;
  return controls <= head.length / 100;
}

function textType(text: string): string {
  const start = text
    .replace(/^\ufeff/, '')
    .trimStart()
    .slice(0, 512)
    .toLowerCase();
  if (/^<(!doctype html|html)/.test(start)) return 'text/html';
  if (/^(<\?xml|<[a-z_][\w.-]*:?[\w.-]*[\s>])/.test(start)) return 'application/xml';
  if (/^\{\s*"millrace-mock"/.test(start)) return 'application/x-millrace-mock+json';
  if (/^[[{]/.test(start) && /[\]}]\s*$/.test(text)) return 'application/json';
  return 'text/plain';
}
