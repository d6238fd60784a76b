import type { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { headBytes, type Sample } from './format.ts';
import { formats } from './index.ts';
import { recogniseUnsupported } from './unsupported/index.ts';

/** Detects the media type by content. The name only tells kinds of text apart. */
export async function sniff(
  source: Readable,
  file?: Sample['file'],
  name?: string,
): Promise<string> {
  return (await recognise(source, file, name)).mediaType;
}

/** Detects the media type, and whether the file has anything to unpack. */
export async function recognise(
  source: Readable,
  file: Sample['file'] = noFile,
  name?: string,
): Promise<{ mediaType: string; isContainer: boolean }> {
  const sample = { ...(await takeSample(source, file)), name };
  const unsupported = await recogniseUnsupported(sample);
  if (unsupported !== undefined) return { mediaType: unsupported, isContainer: false };
  for (const { accepts, unpack, holds } of Object.values(formats)) {
    const mediaType = await accepts(sample);
    if (mediaType === undefined) continue;
    const isContainer = unpack !== undefined && (holds === undefined || (await holds(sample)));
    return { mediaType, isContainer };
  }
  return { mediaType: sample.signature ?? 'application/octet-stream', isContainer: false };
}

async function noFile(): Promise<never> {
  throw new Error('Only the first bytes of the file are available');
}

async function takeSample(source: Readable, file: Sample['file']): Promise<Sample> {
  const head = await readHead(source);
  // The mark of UTF-16 text looks like the start of an MPEG audio frame.
  const isMarked = /^(\xff\xfe|\xfe\xff)/.test(head.toString('latin1', 0, 2));
  const signature = isMarked ? undefined : await fileTypeFromBuffer(head).catch(() => undefined);
  return { head, text: head.toString('utf8'), signature: signature?.mime, file };
}

async function readHead(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= headBytes) break;
  }
  source.destroy();
  return Buffer.concat(chunks).subarray(0, headBytes);
}
