import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { type DocumentObject, unpackObjects } from '../office/unpack-objects.ts';
import { type CompoundFile, openCompoundFile } from './compound-file.ts';
import { objectStorage } from './holds-objects.ts';

/** Unpacks the objects in the storages of a Word or Excel file. */
export async function* unpackOle(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  yield* unpackObjects(listStorages(await openCompoundFile(input.path)), input);
}

function listStorages(file: CompoundFile): DocumentObject[] {
  const names = new Set(file.streams().flatMap((path) => objectStorage.exec(path)?.[1] ?? []));
  return [...names].map((name, i) => ({
    name: `object-${i + 1}.bin`,
    read: () => file.storage(name),
  }));
}
