import type { Dirent } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundFile {
  path: string;
  /** Why it cannot be read. */
  error?: string;
}

/**
 * All files under these paths in sorted order, without hidden ones. A file that cannot be read is
 * included, with the reason.
 */
export async function* findFiles(paths: readonly string[]): AsyncGenerator<FoundFile> {
  for (const path of paths) yield* walk(path);
}

async function* walk(path: string): AsyncGenerator<FoundFile> {
  const entries = await children(path);
  if (!Array.isArray(entries)) return yield entries;
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* walk(join(path, entry.name));
    else if (entry.isFile()) yield await readable(join(path, entry.name));
  }
}

/** The entries of a directory, or the file itself if the path is a file. */
async function children(path: string): Promise<Dirent[] | FoundFile> {
  try {
    if (!(await stat(path)).isDirectory()) return await readable(path);
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    return { path, error: reason(error) };
  }
}

async function readable(path: string): Promise<FoundFile> {
  try {
    await access(path, constants.R_OK);
    return { path };
  } catch (error) {
    return { path, error: reason(error) };
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or directory';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return message;
}
