export interface Record {
  type: number;
  instance: number;
  isContainer: boolean;
  /** Start of the record's content. */
  at: number;
  end: number;
}

const headerBytes = 8;
/** Nesting in genuine files stays below 20. */
const maxDepth = 100;

export function recordAt(stream: Buffer, position: number, limit = stream.length) {
  if (position < 0 || position + headerBytes > limit) return undefined;
  const version = stream.readUInt16LE(position);
  const at = position + headerBytes;
  const end = Math.min(limit, at + stream.readUInt32LE(position + 4));
  const type = stream.readUInt16LE(position + 2);
  return { type, instance: version >> 4, isContainer: (version & 0xf) === 0xf, at, end };
}

/** The records directly inside a container. */
export function* childrenOf(stream: Buffer, { at, end }: Pick<Record, 'at' | 'end'>) {
  for (let position = at; ; ) {
    const record = recordAt(stream, position, end);
    if (!record) return;
    yield record;
    position = record.end;
  }
}

/** Visits all records inside a container in order. Those for which `visit` is false stay closed. */
export function walkRecords(
  stream: Buffer,
  container: Pick<Record, 'at' | 'end'>,
  visit: (record: Record) => boolean,
  depth = 0,
): void {
  for (const record of childrenOf(stream, container))
    if (visit(record) && record.isContainer && depth < maxDepth)
      walkRecords(stream, record, visit, depth + 1);
}
