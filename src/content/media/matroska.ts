import type { FoundMetadata } from '../../domain/metadata.ts';
import type { ReadAt } from './read-at.ts';

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  title: 0x7ba9,
  application: 0x4d80,
  tracks: 0x1654ae6b,
  track: 0xae,
  codec: 0x86,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  audio: 0xe1,
  sampleRate: 0xb5,
};
const folders = new Set([ids.segment, ids.info, ids.tracks, ids.track, ids.video, ids.audio]);
/** What describes the file is at its start. */
const startBytes = 2 ** 20;
const maxElements = 10_000;

/** EBML: elements with an id and a length of variable size. */
export async function readMatroska(read: ReadAt): Promise<FoundMetadata> {
  const bytes = await read(0, startBytes);
  const found: FoundMetadata = {};
  const codecs: string[] = [];
  let [scale, duration] = [1_000_000, 0];
  const take = (id: number, value: Buffer) => {
    if (id === ids.timestampScale) scale = unsigned(value);
    if (id === ids.duration) duration = float(value);
    if (id === ids.title) found.title = value.toString('utf8');
    if (id === ids.application) found.application = value.toString('utf8');
    if (id === ids.codec) codecs.push(value.toString('latin1').replace(/\0+$/, ''));
    if (id === ids.width) found.width = unsigned(value);
    if (id === ids.height) found.height = unsigned(value);
    if (id === ids.sampleRate) found.sampleRate = Math.round(float(value));
  };
  let at = 0;
  for (let left = maxElements; at < bytes.length && left > 0; left -= 1) {
    const id = readNumber(bytes, at, false);
    const length = id && readNumber(bytes, at + id.size, true);
    if (!id || !length) break;
    at += id.size + length.size;
    if (folders.has(id.value)) continue;
    take(id.value, bytes.subarray(at, at + Math.min(length.value, 4096)));
    at += length.value;
  }
  const durationSeconds = duration > 0 ? (duration * scale) / 1e9 : undefined;
  return { ...found, durationSeconds, codec: codecs.join(', ') };
}

/** The number of leading zero bits is the number of further bytes. */
function readNumber(bytes: Buffer, at: number, isLength: boolean) {
  const first = bytes[at] ?? 0;
  const size = Math.clz32(first) - 23;
  if (first === 0 || at + size > bytes.length) return undefined;
  let value = isLength ? first & (0xff >> size) : first;
  for (let i = 1; i < size; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  return { value, size };
}

function unsigned(bytes: Buffer): number {
  return bytes.length >= 1 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : 0;
}

function float(bytes: Buffer): number {
  if (bytes.length === 4) return bytes.readFloatBE(0);
  return bytes.length === 8 ? bytes.readDoubleBE(0) : 0;
}
