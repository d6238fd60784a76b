import { isHeaderField } from '../mail/header.ts';
import { isPostmark } from './postmark.ts';

/** Number of leading bytes needed to classify a line. */
const lineBytes = 512;
/** Longer lines are emitted in pieces, which bounds the buffer. */
const longestLine = 64 * 1024;

const newline = 0x0a;
const quote = 0x3e;
const letterF = 0x46;

/** Yields the messages of an mbox in order. A message need not be consumed to get the next one. */
export async function* messagesOf(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<AsyncIterable<Buffer>> {
  const pieces = split(source);
  const next = async (): Promise<Piece | undefined> => (await pieces.next()).value;
  let ahead = await next();
  async function* message(first: Piece): AsyncGenerator<Buffer> {
    for (let piece: Piece | undefined = first; piece; piece = ahead?.begins ? undefined : ahead) {
      ahead = await next();
      yield piece.bytes;
    }
  }
  while (ahead) {
    const first = ahead;
    yield message(first);
    if (ahead === first) ahead = await next();
    while (ahead && !ahead.begins) ahead = await next();
  }
}

interface Piece {
  begins: boolean;
  bytes: Buffer;
}

/**
 * Splits an mbox into pieces without buffering whole messages. A message starts with a header
 * after an empty line and a `From ` line (the postmark). Postmarks are removed, and quoted
 * `>From ` lines are unquoted.
 */
async function* split(source: AsyncIterable<Buffer>): AsyncGenerator<Piece, undefined> {
  let state: State = { afterBlank: true, withinLine: false };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const scanned = scan(Buffer.concat([rest, chunk]), state, false);
    yield* scanned.pieces;
    ({ rest, state } = scanned);
  }
  yield* scan(rest, state, true).pieces;
  return undefined;
}

interface State {
  afterBlank: boolean;
  /** The block starts in the middle of a line. */
  withinLine: boolean;
}

function scan(
  block: Buffer,
  state: State,
  isLast: boolean,
): { pieces: Piece[]; rest: Buffer; state: State } {
  const pieces: Piece[] = [];
  let { afterBlank, withinLine } = state;
  let begins = false;
  let from = 0;
  let at = 0;
  const flush = (to: number) => {
    if (begins || to > from) pieces.push({ begins, bytes: block.subarray(from, to) });
    begins = false;
  };
  while (at < block.length) {
    const end = endOfLine(block, at, isLast);
    const kind =
      end === -1
        ? 'unknown'
        : withinLine
          ? 'text'
          : classifyLine(block, at, end, { afterBlank, isLast });
    if (kind === 'unknown') break;
    if (kind !== 'text') {
      flush(at);
      begins = kind === 'postmark';
      from = begins ? end : at + 1;
    }
    afterBlank = !withinLine && isBlank(block, at, end);
    withinLine = false;
    at = end;
  }
  if (block.length - at > longestLine) {
    at = block.length;
    withinLine = true;
  }
  flush(at);
  return { pieces, rest: block.subarray(at), state: { afterBlank, withinLine } };
}

/** Classifies a line; `unknown` until enough of the next line has been read. */
function classifyLine(
  block: Buffer,
  at: number,
  end: number,
  { afterBlank, isLast }: { afterBlank: boolean; isLast: boolean },
): 'postmark' | 'quoted' | 'text' | 'unknown' {
  if (block[at] === quote) return /^>+From /.test(lineAt(block, at)) ? 'quoted' : 'text';
  if (!afterBlank || block[at] !== letterF || !isPostmark(lineAt(block, at))) return 'text';
  if (!isLast && block.length - end < lineBytes) return 'unknown';
  return isHeaderField(lineAt(block, end)) ? 'postmark' : 'text';
}

/** Start of the next line; -1 if the end of this one has not been read yet. */
function endOfLine(block: Buffer, at: number, isLast: boolean): number {
  const end = block.indexOf(newline, at);
  if (end !== -1) return end + 1;
  return isLast ? block.length : -1;
}

function lineAt(block: Buffer, at: number): string {
  const [line = ''] = block.toString('latin1', at, at + lineBytes).split('\n', 1);
  return line.trimEnd();
}

function isBlank(block: Buffer, at: number, end: number): boolean {
  return end - at === 1 || (end - at === 2 && block[at] === 0x0d);
}
