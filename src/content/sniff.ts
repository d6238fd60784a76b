import type { Readable } from 'node:stream';
import { formats } from './index.ts';
import { takeSample } from './sample.ts';

/** The real type of a document, by its content and never by its name. */
export async function sniff(
  source: Readable,
  file: () => Promise<string> = noFile,
): Promise<string> {
  const sample = await takeSample(source, file);
  for (const { accepts } of Object.values(formats)) {
    const mediaType = await accepts(sample);
    if (mediaType !== undefined) return mediaType;
  }
  return sample.signature ?? 'application/octet-stream';
}

async function noFile(): Promise<never> {
  throw new Error('Only the first bytes of the file are at hand');
}
