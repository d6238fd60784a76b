import type { Sample } from '../format.ts';
import { withZipParts, type ZipParts } from './zip-parts.ts';

/** Embedded packages and OLE objects, and files inserted as a whole (alternative formats). */
export function listEmbedded(parts: ZipParts): string[] {
  return parts
    .names()
    .filter((name) => /(^|\/)(embeddings\/[^/]+|afchunk[^/]*)$/i.test(name))
    .filter((name) => !name.endsWith('.rels'));
}

/** Whether a package has anything to unpack, by the names of its parts. */
export async function holdsEmbedded({ file }: Sample): Promise<boolean> {
  try {
    return await withZipParts(await file(), async (parts) => listEmbedded(parts).length > 0);
  } catch {
    // Its reader reports what is wrong with it.
    return false;
  }
}
