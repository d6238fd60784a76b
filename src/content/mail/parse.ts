import { readFile, stat } from 'node:fs/promises';
import PostalMime, { type Email } from 'postal-mime';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';

/** Of one message, which is held in memory: some 1.5 kB a line while it is taken apart. */
const limits = { bytes: 50 * 2 ** 20, lines: 750_000, nesting: 50, headerBytes: 2 ** 20 };

/** Reads a message. Messages that are attached to it are files like any other. */
export async function parseMessage(path: string): Promise<Email> {
  const { size } = await stat(path);
  if (size > limits.bytes)
    throw tooLarge(`${size} bytes; messages of up to ${limits.bytes} are read`);
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
      `The message is not taken apart: ${describeError(error)}`,
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

/** A byte order mark would become part of the first field's name. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes;
}
