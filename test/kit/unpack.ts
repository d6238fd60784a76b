import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackedEntry, UnpackLimits } from '../../src/content/container.ts';
import { requireCapability } from '../../src/content/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const usual = { entries: 100, bytes: 2 ** 24, ratio: 100 };

/** Unpacks bytes and returns the entries and the list of files. */
export async function unpack(
  mediaType: string,
  container: string | Buffer,
  limits: Partial<UnpackLimits> = {},
): Promise<{ entries: UnpackedEntry[]; files: string[] }> {
  const base = await temporaryDirectory();
  const directory = join(base, 'entries');
  await mkdir(directory);
  const path = join(base, 'container');
  writeFileSync(path, container);
  const entries = await requireCapability(
    mediaType,
    'unpack',
  )({
    mediaType,
    path,
    directory,
    limits: { ...usual, ...limits },
  });
  const files = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== 'entries',
  );
  return { entries, files: files.toSorted() };
}

/** The content of an entry, or why it has none. */
export function told(entry: UnpackedEntry): [name: string, content: string] {
  return [
    entry.name,
    'path' in entry ? readFileSync(entry.path, 'utf8') : `${entry.kind}: ${entry.reason}`,
  ];
}
