import type { FoundMetadata } from '../../domain/metadata.ts';
import type { ReadAt } from './read-at.ts';

/** Boxes that contain boxes. */
const folders = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
const maxBoxes = 5000;
const boxStart = 120;

/** MP4 and QuickTime: a tree of boxes, each with its length and a name of four letters. */
export async function readMp4(read: ReadAt, size: number): Promise<FoundMetadata> {
  const found: FoundMetadata = {};
  const codecs: string[] = [];
  let left = maxBoxes;
  const walk = async (start: number, end: number): Promise<void> => {
    for (let at = start; at + 8 <= end && left > 0; left -= 1) {
      const box = await read(at, boxStart);
      if (box.length < 8) return;
      const name = box.toString('latin1', 4, 8);
      const isLong = box.readUInt32BE(0) === 1 && box.length >= 16;
      const header = isLong ? 16 : 8;
      const stated = isLong ? Number(box.readBigUInt64BE(8)) : box.readUInt32BE(0);
      const length = stated === 0 ? end - at : stated;
      if (length < header) return;
      if (folders.has(name)) await walk(at + header, Math.min(end, at + length));
      else takeBox(name, box.subarray(header), found, codecs);
      at += length;
    }
  };
  await walk(0, size);
  return { ...found, codec: codecs.join(', ') };
}

function takeBox(name: string, box: Buffer, found: FoundMetadata, codecs: string[]): void {
  if (box.length < 84) return;
  if (name === 'mvhd') takeDuration(box, found);
  if (name === 'tkhd') {
    const at = box[0] === 1 ? 88 : 76;
    const [width, height] = [box.readUInt16BE(at), box.readUInt16BE(at + 4)];
    if (width > 0 && height > 0) Object.assign(found, { width, height });
  }
  if (name === 'stsd') {
    const codec = box.toString('latin1', 12, 16).trim();
    if (/^[\w.-]{3,4}$/.test(codec)) codecs.push(codec);
    // Sound has its rate as a fixed-point number; film has its size at this place.
    if (/^(mp4a|alac|samr|sawb|ac-3|ec-3|Opus|lpcm|sowt|twos|fLaC)$/.test(codec))
      found.sampleRate = box.readUInt16BE(40);
  }
}

/** Seconds from 1904, where these files start counting, to 1970. */
const epoch = 2_082_844_800;

function takeDuration(box: Buffer, found: FoundMetadata): void {
  const isLong = box[0] === 1;
  const created = isLong ? Number(box.readBigUInt64BE(4)) : box.readUInt32BE(4);
  const scale = box.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(box.readBigUInt64BE(24)) : box.readUInt32BE(16);
  if (scale > 0) found.durationSeconds = duration / scale;
  const date = new Date((created - epoch) * 1000);
  if (created > epoch && !Number.isNaN(date.getTime())) found.created = date.toISOString();
}
