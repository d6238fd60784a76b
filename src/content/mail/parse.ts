import { readFile, stat } from 'node:fs/promises';
import PostalMime, { type Email } from 'postal-mime';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';

/** Per message. The parser holds it in memory and needs about 1.5 kB per line. */
const limits = { bytes: 50 * 2 ** 20, lines: 750_000, nesting: 50, headerBytes: 2 ** 20 };

/** Parses a message. Attached messages are treated like any other attachment. */
export async function parseMessage(path: string): Promise<Email> {
  const { size } = await stat(path);
  if (size > limits.bytes) throw tooLarge(`${size} bytes; the limit is ${limits.bytes}`);
  const bytes = await readFile(path);
  if (hasMoreLines(bytes, limits.lines)) throw tooLarge(`more than ${limits.lines} lines`);
  const options = {
    maxNestingDepth: limits.nesting,
    maxHeadersSize: limits.headerBytes,
    forceRfc822Attachments: true,
  };
  return PostalMime.parse(withoutMark(bytes), options).catch((error: unknown) => {
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
