import type { Sample } from './format.ts';
import { withZipParts } from './ooxml/zip-parts.ts';

const seen = new WeakMap<Sample, Promise<ReadonlySet<string>>>();

/**
 * Names of the entries of a zip archive, from its own directory: an archive may contain another one
 * whose entries look the same from outside. Asked only if one of the hints is in the first bytes.
 */
export async function listZipNames(
  sample: Sample,
  hints: readonly string[],
): Promise<ReadonlySet<string>> {
  const isZip = sample.head.toString('latin1', 0, 4) === 'PK\x03\x04';
  if (!isZip || !hints.some((hint) => sample.head.includes(hint))) return new Set();
  let names = seen.get(sample);
  if (!names) {
    names = listNames(await sample.file());
    seen.set(sample, names);
  }
  return names;
}

/** None, if the archive is damaged: it is treated as an archive then. */
async function listNames(path: string): Promise<ReadonlySet<string>> {
  try {
    return await withZipParts(path, async (parts) => new Set(parts.names()));
  } catch {
    return new Set();
  }
}
