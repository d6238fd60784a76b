import type { FoundMetadata } from '../../domain/metadata.ts';

const tags = {
  make: 0x010f,
  model: 0x0110,
  software: 0x0131,
  modified: 0x0132,
  artist: 0x013b,
  copyright: 0x8298,
  description: 0x010e,
  exif: 0x8769,
  gps: 0x8825,
  taken: 0x9003,
  takenZone: 0x9011,
  lens: 0xa434,
} as const;
const gpsTags = { latitudeSide: 1, latitude: 2, longitudeSide: 3, longitude: 4 } as const;

type Value = string | number[];
type Directory = ReadonlyMap<number, Value>;

/** Reads what a camera wrote: when, with what and where. `bytes` may begin with `Exif\0\0`. */
export function readExif(bytes: Buffer): FoundMetadata {
  const start = bytes.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const tiff = bytes.subarray(start);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return {};
  const reader = new TiffReader(tiff, order === 'II');
  const main = reader.directory(reader.u32(4));
  const exif = reader.directory(pointer(main.get(tags.exif)));
  const gps = reader.directory(pointer(main.get(tags.gps)));
  const text = (from: Directory, tag: number) => {
    const value = from.get(tag);
    return typeof value === 'string' ? value.trim() : undefined;
  };
  const [make, model] = [text(main, tags.make), text(main, tags.model)];
  const zone = text(exif, tags.takenZone) ?? '';
  return {
    taken: toIso(text(exif, tags.taken), zone),
    modified: toIso(text(main, tags.modified), ''),
    camera: make && model?.startsWith(make) ? model : [make, model].filter(Boolean).join(' '),
    author: text(main, tags.artist),
    title: text(main, tags.description),
    application: text(main, tags.software),
    gps: place(gps),
    raw: { copyright: text(main, tags.copyright), lens: text(exif, tags.lens) },
  };
}

function pointer(value: Value | undefined): number {
  return Array.isArray(value) ? (value[0] ?? 0) : 0;
}

/** `2024:02:29 10:00:00` as ISO 8601, local unless the zone is known. */
function toIso(text: string | undefined, zone: string): string | undefined {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text ?? '');
  if (!found) return undefined;
  const [, year, month, day, time] = found;
  return `${year}-${month}-${day}T${time}${/^[+-]\d\d:\d\d$/.test(zone) ? zone : ''}`;
}

function place(gps: Directory): [number, number] | undefined {
  const latitude = degrees(gps.get(gpsTags.latitude), gps.get(gpsTags.latitudeSide));
  const longitude = degrees(gps.get(gpsTags.longitude), gps.get(gpsTags.longitudeSide));
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude];
}

function degrees(value: Value | undefined, side: Value | undefined): number | undefined {
  if (!Array.isArray(value)) return undefined;
  const [whole = 0, minutes = 0, seconds = 0] = value;
  const sum = whole + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(sum)) return undefined;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return typeof side === 'string' && /^[SW]/.test(side) ? -rounded : rounded;
}

const types = { byte: 1, text: 2, short: 3, long: 4, rational: 5 };
const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 };
const maxEntries = 500;
const maxTextBytes = 4096;
const maxNumbers = 8;

class TiffReader {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;

  constructor(bytes: Buffer, isLittle: boolean) {
    this.#bytes = bytes;
    this.#isLittle = isLittle;
  }

  u32(at: number): number {
    if (at + 4 > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  #u16(at: number): number {
    if (at + 2 > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }

  directory(at: number): Map<number, Value> {
    const found = new Map<number, Value>();
    if (at < 8 || at + 2 > this.#bytes.length) return found;
    const count = Math.min(this.#u16(at), maxEntries);
    for (let i = 0; i < count; i += 1) {
      const value = this.#value(at + 2 + 12 * i);
      if (value !== undefined) found.set(this.#u16(at + 2 + 12 * i), value);
    }
    return found;
  }

  /** Values of up to four bytes are in the entry itself. */
  #value(entry: number): Value | undefined {
    const type = this.#u16(entry + 2);
    const count = this.u32(entry + 4);
    const size = sizes[type];
    if (size === undefined) return undefined;
    const at = size * count <= 4 ? entry + 8 : this.u32(entry + 8);
    if (type === types.text)
      return this.#bytes.toString('utf8', at, at + Math.min(count, maxTextBytes)).split('\0', 1)[0];
    return Array.from({ length: Math.min(count, maxNumbers) }, (_, i) =>
      this.#number(type, at + size * i),
    );
  }

  #number(type: number, at: number): number {
    if (type === types.byte) return this.#bytes[at] ?? 0;
    if (type === types.short) return this.#u16(at);
    if (type === types.long) return this.u32(at);
    return this.u32(at) / this.u32(at + 4);
  }
}
