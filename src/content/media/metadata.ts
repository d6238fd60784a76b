import { type FileHandle, open } from 'node:fs/promises';
import { type FoundMetadata, type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { readMatroska } from './matroska.ts';
import { readMp3 } from './mp3.ts';
import { readMp4 } from './mp4.ts';
import { readOgg } from './ogg.ts';
import type { ReadAt } from './read-at.ts';
import { readFlac, readWav } from './wave.ts';

type Reader = (read: ReadAt, size: number) => Promise<FoundMetadata>;

const readers: Readonly<Record<string, Reader>> = {
  'audio/wav': readWav,
  'audio/flac': readFlac,
  'audio/mpeg': readMp3,
  'audio/x-m4a': readMp4,
  'audio/mp4': readMp4,
  'video/mp4': readMp4,
  'video/x-m4v': readMp4,
  'video/quicktime': readMp4,
  'video/3gpp': readMp4,
  'audio/ogg': readOgg,
  'video/ogg': readOgg,
  'video/matroska': readMatroska,
  'video/webm': readMatroska,
};

/** Duration, codec and size. Of other types nothing is known but their name. */
export async function readMediaMetadata({ path, mediaType }: ContentFile): Promise<Metadata> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const found = (await readers[mediaType]?.(readerOf(file), size)) ?? {};
    return toMetadata({ ...found, durationSeconds: roundToMs(found.durationSeconds) });
  } finally {
    await file.close();
  }
}

function readerOf(file: FileHandle): ReadAt {
  return async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
}

function roundToMs(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' && Number.isFinite(seconds)
    ? Math.round(seconds * 1000) / 1000
    : undefined;
}
