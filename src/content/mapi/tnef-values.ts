import type { MapiValue } from './properties.ts';
import { named } from './property-ids.ts';

/** Sizes of values that are stored without a length, each padded to four bytes. */
const fixedBytes: Record<number, number> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const multiple = 0x1000;
const firstNamed = 0x8000;
const nameIsText = 1;
const guidBytes = 16;

/** Parses a list of MAPI properties. What does not fit into the data is left out. */
export function parseMapiValues(data: Buffer): Map<number, MapiValue> {
  return new Reader(data).values();
}

/** A table: a number of rows, each a list of properties. */
export function parseMapiRows(data: Buffer): Map<number, MapiValue>[] {
  const reader = new Reader(data);
  const rows: Map<number, MapiValue>[] = [];
  for (let left = reader.number(); left > 0 && !reader.isAtEnd; left -= 1)
    rows.push(reader.values());
  return rows;
}

class Reader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  get isAtEnd(): boolean {
    return this.#at + 4 > this.#data.length;
  }

  number(): number {
    const value = this.isAtEnd ? 0 : this.#data.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  values(): Map<number, MapiValue> {
    const values = new Map<number, MapiValue>();
    for (let left = this.number(); left > 0 && !this.isAtEnd; left -= 1) {
      const tag = this.number();
      const [type, id] = [tag & 0xffff, tag >>> 16];
      const key = id < firstNamed ? id : this.#readName();
      const bytes = this.#value(type);
      if (bytes && key !== undefined) values.set(key, { type, bytes });
    }
    return values;
  }

  /** Named properties have no fixed id: their name, a text or a number, precedes the value. */
  #readName(): number | undefined {
    this.#at += guidBytes;
    if (this.number() !== nameIsText) return named(this.number());
    this.#take(this.number());
    return undefined;
  }

  /** The first value, if there are several. */
  #value(type: number): Buffer | undefined {
    const size = fixedBytes[type & ~multiple];
    if (size !== undefined && (type & multiple) === 0) return this.#take(size);
    let first: Buffer | undefined;
    for (let left = this.number(); left > 0 && !this.isAtEnd; left -= 1) {
      const bytes = this.#take(size ?? this.number());
      first ??= bytes;
    }
    return first;
  }

  #take(length: number): Buffer {
    const bytes = this.#data.subarray(this.#at, this.#at + length);
    this.#at += length + ((4 - (length % 4)) % 4);
    return bytes;
  }
}
