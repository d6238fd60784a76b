import type { FoundMetadata } from '../../domain/metadata.ts';
import type { ReadAt } from './read-at.ts';

const tailBytes = 64 * 1024;

/** The first page has the header of the codec, the last one the number of samples so far. */
export async function readOgg(read: ReadAt, size: number): Promise<FoundMetadata> {
  const head = await read(0, 512);
  const tail = await read(Math.max(0, size - tailBytes), tailBytes);
  const last = tail.lastIndexOf('OggS');
  const samples =
    last >= 0 && last + 14 <= tail.length ? Number(tail.readBigInt64LE(last + 6)) : -1;
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1');
  const opus = head.indexOf('OpusHead');
  const durationAt = (rate: number) => (samples > 0 && rate > 0 ? samples / rate : undefined);
  if (vorbis >= 0 && vorbis + 16 <= head.length) {
    const sampleRate = head.readUInt32LE(vorbis + 12);
    return { codec: 'Vorbis', sampleRate, durationSeconds: durationAt(sampleRate) };
  }
  // Opus always counts 48,000 samples per second; the field is the rate of the source.
  if (opus >= 0 && opus + 16 <= head.length)
    return {
      codec: 'Opus',
      sampleRate: head.readUInt32LE(opus + 12),
      durationSeconds: durationAt(48_000),
    };
  return head.includes('theora') ? { codec: 'Theora' } : {};
}
