import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredObject } from '../storage.ts';
import { unlessMissing } from './write.ts';

/** Lists objects in key order. Holds the names of one directory per level in memory. */
export async function* walk(
  root: string,
  prefix: string,
  after = '',
): AsyncGenerator<StoredObject> {
  yield* within(prefix.slice(0, prefix.lastIndexOf('/') + 1));

  async function* within(directory: string): AsyncGenerator<StoredObject> {
    for (const name of await namesIn(join(root, directory))) {
      const key = directory + name;
      // A directory sorts before its content, so it must be entered if `after` lies inside it.
      if (
        !key.startsWith(prefix) ||
        (key <= after && !(name.endsWith('/') && after.startsWith(key)))
      )
        continue;
      if (name.endsWith('/')) yield* within(key);
      else yield* describe(key);
    }
  }

  async function* describe(key: string): AsyncGenerator<StoredObject> {
    const found = await stat(join(root, key)).catch(unlessMissing);
    if (found) yield { key, bytes: found.size, modified: found.mtime };
  }
}

/** Directories end with a slash, as in the keys, so that sorting the names sorts the keys. */
async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = [];
  const entries = await opendir(directory).catch(unlessMissing);
  for await (const entry of entries ?? [])
    names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
  return names.sort();
}
