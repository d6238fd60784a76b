import type { FoundMetadata } from '../../domain/metadata.ts';
import type { ReadAt } from './read-at.ts';

const codecs: Readonly<Record<number, string>> = {
  1: 'PCM',
  2: 'ADPCM',
  3: 'PCM (float)',
  6: 'A-law',
  7: 'mu-law',
  85: 'MP3',
};
const maxChunks = 100;

/** RIFF: a list of chunks. `fmt ` describes the sound in `data`. */
export async function readWav(read: ReadAt, size: number): Promise<FoundMetadata> {
  let found: FoundMetadata = {};
  let bytesPerSecond = 0;
  for (let at = 12, left = maxChunks; at + 8 <= size && left > 0; left -= 1) {
    const chunk = await read(at, 24);
    if (chunk.length < 8) break;
    const [name, length] = [chunk.toString('latin1', 0, 4), chunk.readUInt32LE(4)];
    if (name === 'fmt ' && chunk.length === 24) {
      const code = chunk.readUInt16LE(8);
      bytesPerSecond = chunk.readUInt32LE(16);
      found = { codec: codecs[code] ?? `format ${code}`, sampleRate: chunk.readUInt32LE(12) };
    }
    if (name === 'data' && bytesPerSecond > 0) {
      const bytes = Math.min(length, size - at - 8);
      return { ...found, durationSeconds: bytes / bytesPerSecond };
    }
    at += 8 + length + (length % 2);
  }
  return found;
}

/** The first block has 20 bits of sample rate and, 16 bits later, 36 bits of sample count. */
export async function readFlac(read: ReadAt): Promise<FoundMetadata> {
  const head = await read(0, 42);
  if (head.length < 42) return {};
  const sampleRate = head.readUIntBE(18, 3) >> 4;
  const samples = (head.readUInt8(21) & 15) * 2 ** 32 + head.readUInt32BE(22);
  return { codec: 'FLAC', sampleRate, durationSeconds: samples / sampleRate };
}
