import { type Record, recordAt } from './records.ts';

const userEdit = 0x0ff5;
const persistDirectory = 0x1772;
/** Each save in place adds one. */
const maxEdits = 10_000;

export interface Persisted {
  /** The current version of an object. */
  find(id: number): Record | undefined;
  documentId: number;
}

/**
 * Where the current version of each object is: a presentation that was saved fast also holds old
 * ones, such as deleted slides. Undefined if the directory is damaged.
 */
export function readPersisted(stream: Buffer, currentUser: Buffer): Persisted | undefined {
  if (currentUser.length < 20) return undefined;
  const offsets = new Map<number, number>();
  let documentId: number | undefined;
  let position = currentUser.readUInt32LE(16);
  for (let edits = 0; position > 0 && edits < maxEdits; edits += 1) {
    const edit = recordAt(stream, position);
    if (edit?.type !== userEdit || edit.end - edit.at < 28) break;
    documentId ??= stream.readUInt32LE(edit.at + 16);
    addOffsets(stream, recordAt(stream, stream.readUInt32LE(edit.at + 12)), offsets);
    const previous = stream.readUInt32LE(edit.at + 8);
    if (previous >= position) break;
    position = previous;
  }
  if (documentId === undefined || !offsets.has(documentId)) return undefined;
  const find = (id: number) => recordAt(stream, offsets.get(id) ?? -1);
  return { find, documentId };
}

/** Newer directories are read first, and win. */
function addOffsets(
  stream: Buffer,
  directory: Record | undefined,
  offsets: Map<number, number>,
): void {
  if (directory?.type !== persistDirectory) return;
  for (let at = directory.at; at + 4 <= directory.end; ) {
    const head = stream.readUInt32LE(at);
    const first = head & 0xfffff;
    const count = head >>> 20;
    at += 4;
    for (let i = 0; i < count && at + 4 <= directory.end; i += 1, at += 4)
      if (!offsets.has(first + i)) offsets.set(first + i, stream.readUInt32LE(at));
  }
}
