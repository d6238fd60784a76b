import { writeFile } from 'node:fs/promises';
import { describeError } from '../../lib/describe-error.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { unwrapObject } from './embedded-object.ts';

/** An object in a document. Its bytes are read when it is its turn. */
export interface DocumentObject {
  name: string;
  read(): Buffer | Promise<Buffer>;
}

/** Unpacks the files that are embedded in a document. An object that fails costs only itself. */
export async function* unpackObjects(
  objects: readonly DocumentObject[],
  { directory, limits, skip }: UnpackInput,
): AsyncGenerator<UnpackedEntry> {
  const budget = new Budget(limits);
  for (const [position, object] of objects.entries())
    if (position >= skip) yield await unpackObject(object, position, directory, budget);
}

async function unpackObject(
  { name, read }: DocumentObject,
  position: number,
  directory: string,
  budget: Budget,
): Promise<UnpackedEntry> {
  try {
    const found = unwrapObject(name, await read());
    if (!('bytes' in found)) return { position, name, ...found };
    const write = (path: string) => writeFile(path, budget.meter([found.bytes]), { flag: 'wx' });
    return await makeEntryFile({ position, name: found.name }, directory, write);
  } catch (error) {
    return { position, name, kind: 'exception', reason: describeError(error) };
  }
}
