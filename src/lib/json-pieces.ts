/** The length of a piece, in characters. Making one takes well under a millisecond. */
const pieceLength = 64 * 1024;
/** Values nested deeper than this are written at once. */
const deepest = 5;

/**
 * The JSON of a large value in pieces, so that whoever writes them can do other work in between.
 * Joined, they are what JSON.stringify returns for a value without `toJSON`.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  let ready = '';
  for (const text of write(value, 0)) {
    ready += text;
    if (ready.length < pieceLength) continue;
    yield ready;
    ready = '';
  }
  if (ready !== '') yield ready;
}

function* write(value: unknown, depth: number): Generator<string, void> {
  if (typeof value === 'string' && value.length > pieceLength) yield* writeString(value);
  else if (typeof value !== 'object' || value === null || depth >= deepest)
    yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      yield i === 0 ? '[' : ',';
      yield* write(element, depth + 1);
    }
    yield value.length === 0 ? '[]' : ']';
  } else yield* writeMembers(value, depth);
}

function* writeMembers(value: object, depth: number): Generator<string, void> {
  let between = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${between}${JSON.stringify(name)}:`;
    yield* write(member, depth + 1);
    between = ',';
  }
  yield between === '{' ? '{}' : '}';
}

function* writeString(text: string): Generator<string, void> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    // A surrogate pair must not be cut: each half would be escaped.
    const last = text.charCodeAt(at + pieceLength - 1);
    const end = at + pieceLength - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}
