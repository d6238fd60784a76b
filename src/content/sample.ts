import type { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';

/** Enough for every signature, and for a zip to show what it holds. */
const headBytes = 64 * 1024;

/** What a format is recognised by. */
export interface Sample {
  /** The first 64 KiB. */
  head: Buffer;
  /** The same as text. */
  text: string;
  /** The media type that the file's signature stands for, if it has a known one. */
  signature: string | undefined;
  /** Downloads the whole file, once, and returns its path: for formats that their first bytes do not decide. */
  file(): Promise<string>;
}

export async function takeSample(source: Readable, file: Sample['file']): Promise<Sample> {
  const head = await readHead(source);
  const signature = await fileTypeFromBuffer(head).catch(() => undefined);
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
