import type { FoundMetadata } from '../../domain/metadata.ts';
import type { ReadAt } from './read-at.ts';

/** In kbit/s, for layer III. */
const bitrates = {
  version1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  version2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const sampleRates = [44_100, 48_000, 32_000];
const searchBytes = 64 * 1024;

/** Finds the first frame behind the ID3 tag. A frame of the encoder tells how many there are. */
export async function readMp3(read: ReadAt, size: number): Promise<FoundMetadata> {
  const tag = await read(0, 10);
  const isTagged = tag.length === 10 && tag.toString('latin1', 0, 3) === 'ID3';
  const start = isTagged ? 10 + syncSafe(tag, 6) : 0;
  const bytes = await read(start, searchBytes);
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    const frame = parseFrame(bytes.readUInt32BE(at));
    if (!frame) continue;
    const { sampleRate, samples, bitrate } = frame;
    const count = countFrames(bytes.subarray(at, at + 200));
    const durationSeconds =
      count === undefined ? ((size - start - at) * 8) / bitrate : (count * samples) / sampleRate;
    return { codec: 'MP3', sampleRate, durationSeconds };
  }
  return { codec: 'MP3' };
}

function syncSafe(bytes: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + ((bytes[at + i] ?? 0) & 127), 0);
}

function parseFrame(header: number) {
  const isSync = header >>> 21 === 0x7ff;
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  const rate = sampleRates[(header >>> 10) & 3];
  const isFirst = version === 3;
  const bitrate = bitrates[isFirst ? 'version1' : 'version2'][(header >>> 12) & 15] ?? 0;
  if (!isSync || version === 1 || layer !== 1 || rate === undefined || bitrate === 0)
    return undefined;
  // Version 2 halves the rate of version 1, version 2.5 halves it again.
  const sampleRate = isFirst ? rate : rate / (version === 2 ? 2 : 4);
  return { sampleRate, samples: isFirst ? 1152 : 576, bitrate: bitrate * 1000 };
}

function countFrames(frame: Buffer): number | undefined {
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  if (at < 0 || at + 12 > frame.length) return undefined;
  return (frame.readUInt32BE(at + 4) & 1) === 1 ? frame.readUInt32BE(at + 8) : undefined;
}
