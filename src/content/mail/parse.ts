import { readFile, stat } from 'node:fs/promises';
import PostalMime, { type Email } from 'postal-mime';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { unwrapSigned } from './unwrap.ts';
import { splitUuencoded } from './uuencode.ts';

/** Per message. The parser holds it in memory and needs about 1.5 kB per line. */
const limits = { bytes: 50 * 2 ** 20, lines: 750_000, nesting: 50, headerBytes: 2 ** 20 };

/** Parses a message. Attached messages are treated like any other attachment. */
export async function parseMessage(path: string): Promise<Email> {
  const { size } = await stat(path);
  if (size > limits.bytes) throw tooLarge(`${size} bytes; the limit is ${limits.bytes}`);
  const bytes = await readFile(path);
  if (hasMoreLines(bytes, limits.lines)) throw tooLarge(`more than ${limits.lines} lines`);
  return takeOutUuencoded(await parseSigned(withoutMark(bytes)));
}

/** A message may be signed more than once, such as by a mailing list. */
const maxSignatures = 5;

/** A message that is nothing but signed content is replaced by that content. */
async function parseSigned(bytes: Buffer, signatures = 0): Promise<Email> {
  const email = await parseBytes(bytes);
  const [only, ...others] = email.attachments;
  const isOnlyPart = others.length === 0 && !email.text?.trim() && !email.html?.trim();
  const inner =
    only && isOnlyPart && signatures < maxSignatures ? unwrapSigned(email, only) : undefined;
  return inner ? parseSigned(inner, signatures + 1) : email;
}

/** Files between the lines of the text become attachments. */
function takeOutUuencoded(email: Email): Email {
  const { text, files } = splitUuencoded(email.text ?? '');
  if (files.length === 0) return email;
  const attachments = files.map(({ name, bytes }) => ({
    filename: name,
    mimeType: 'application/octet-stream',
    disposition: 'attachment' as const,
    content: new Uint8Array(bytes),
  }));
  return { ...email, text, attachments: [...email.attachments, ...attachments] };
}

async function parseBytes(bytes: Buffer): Promise<Email> {
  const options = {
    maxNestingDepth: limits.nesting,
    maxHeadersSize: limits.headerBytes,
    forceRfc822Attachments: true,
  };
  return PostalMime.parse(bytes, options).catch((error: unknown) => {
    throw new PermanentError(
      'CONTAINER_TOO_LARGE',
      `The message exceeds a limit of the parser: ${describeError(error)}`,
      {
        cause: error,
      },
    );
  });
}

function tooLarge(what: string): PermanentError {
  return new PermanentError('CONTAINER_TOO_LARGE', `The message has ${what}`);
}

function hasMoreLines(bytes: Buffer, most: number): boolean {
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at !== -1 && lines <= most; at = bytes.indexOf('\n', at + 1))
    lines += 1;
  return lines > most;
}

/** The parser would take a byte order mark as part of the first field name. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes;
}
