import { decodeCodePage } from './code-page.ts';

export type PropertyValue = string | number | boolean;

const maxProperties = 1000;
const maxTextBytes = 64 * 1024;
const dictionaryId = 0;
const codePageId = 1;

/**
 * Parses a property set stream (MS-OLEPS): one record of properties for each section. Properties
 * are named by the dictionary of their section, or by `names`; those without a name are left out.
 */
export function readPropertySet(
  bytes: Buffer,
  names: Readonly<Record<number, string>>,
): Record<string, PropertyValue>[] {
  if (bytes.length < 48) return [];
  const sections = Math.min(bytes.readUInt32LE(24), 2);
  return Array.from({ length: sections }, (_, i) => {
    const at = 28 + 20 * i + 16;
    if (at + 4 > bytes.length) return {};
    return readSection(bytes.subarray(bytes.readUInt32LE(at)), i === 0 ? names : {});
  });
}

function readSection(
  section: Buffer,
  names: Readonly<Record<number, string>>,
): Record<string, PropertyValue> {
  if (section.length < 8) return {};
  const count = Math.min(section.readUInt32LE(4), maxProperties, (section.length - 8) >> 3);
  const offsets = new Map(
    Array.from({ length: count }, (_, i) => [
      section.readUInt32LE(8 + 8 * i),
      section.readUInt32LE(12 + 8 * i),
    ]),
  );
  const found: Record<string, PropertyValue> = {};
  const read = (at: number | undefined, codePage: number) =>
    at === undefined ? undefined : readValue(section, at, codePage);
  const codePage = Number(read(offsets.get(codePageId), 1252) ?? 1252) & 0xffff;
  const dictionary = readDictionary(section, offsets.get(dictionaryId), codePage);
  for (const [id, at] of offsets) {
    const name = dictionary.get(id) ?? names[id];
    const value = name === undefined ? undefined : read(at, codePage);
    if (name !== undefined && value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

/** Types of values (VARIANT) that properties of documents have. */
const types = { i2: 2, i4: 3, bool: 11, ui4: 19, text: 30, wideText: 31, time: 64 };

function readValue(section: Buffer, at: number, codePage: number): PropertyValue | undefined {
  if (at + 8 > section.length) return undefined;
  const type = section.readUInt32LE(at) & 0xffff;
  const start = at + 4;
  if (type === types.i2) return section.readInt16LE(start);
  if (type === types.i4) return section.readInt32LE(start);
  if (type === types.ui4) return section.readUInt32LE(start);
  if (type === types.bool) return section.readUInt16LE(start) !== 0;
  if (type === types.time && start + 8 <= section.length)
    return toIsoTime(section.readBigUInt64LE(start));
  if (type === types.text) return readText(section, start, codePage, 1);
  return type === types.wideText ? readText(section, start, 1200, 2) : undefined;
}

function readText(section: Buffer, at: number, codePage: number, unit: number): string {
  const length = Math.min(section.readUInt32LE(at) * unit, maxTextBytes);
  const text = decodeCodePage(section.subarray(at + 4, at + 4 + length), codePage);
  return text.split('\0', 1)[0] ?? '';
}

function readDictionary(
  section: Buffer,
  at: number | undefined,
  codePage: number,
): Map<number, string> {
  const names = new Map<number, string>();
  if (at === undefined || at + 4 > section.length) return names;
  const count = Math.min(section.readUInt32LE(at), maxProperties);
  const isWide = codePage === 1200;
  let position = at + 4;
  for (let i = 0; i < count && position + 8 <= section.length; i += 1) {
    const id = section.readUInt32LE(position);
    const length = section.readUInt32LE(position + 4) * (isWide ? 2 : 1);
    const bytes = section.subarray(position + 8, position + 8 + Math.min(length, maxTextBytes));
    names.set(id, decodeCodePage(bytes, codePage).split('\0', 1)[0] ?? '');
    position += 8 + length + (isWide ? length % 4 : 0);
  }
  return names;
}

/** Ticks of 100 ns since 1601 (FILETIME). Durations, such as the time spent editing, are small. */
const ticksPerMs = 10_000n;
const unixEpochMs = 11_644_473_600_000n;

function toIsoTime(ticks: bigint): string | undefined {
  const ms = Number(ticks / ticksPerMs - unixEpochMs);
  if (ms < -8_000_000_000_000 || ms > 8_000_000_000_000 || ticks < ticksPerMs) return undefined;
  const year = new Date(ms).getUTCFullYear();
  return year < 1980 ? undefined : new Date(ms).toISOString();
}
