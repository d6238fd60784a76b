import type { Dirent } from 'node:fs';
import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { Option } from 'commander';

export interface FoundFile {
  path: string;
  /** The name to send: the path below the given folder, or below the current directory. */
  name: string;
  /** Why it cannot be read. */
  error?: string;
}

export interface SkippedFile {
  path: string;
  name: string;
  skipped: string;
}

export interface FindOptions {
  followLinks?: boolean | undefined;
}

export const filesArgument = 'files and folders (hidden files and links are skipped)';

export function followLinks(): Option {
  return new Option('--follow-links', 'follow symbolic links below the given folders');
}

/**
 * All files under these paths in sorted order. A file that cannot be read is included with the
 * reason, and so is one that is skipped: a hidden one, a symbolic link, a device.
 */
export async function* findFiles(
  paths: readonly string[],
  { followLinks = false }: FindOptions = {},
): AsyncGenerator<FoundFile | SkippedFile> {
  for (const path of paths) {
    const nameOf = namer(path);
    for await (const found of walk(path, { followLinks, above: [] }))
      yield { ...found, name: nameOf(found.path) };
  }
}

interface Walk {
  followLinks: boolean;
  /** Real paths of the folders on the way, to notice a link that leads back to one of them. */
  above: readonly string[];
}

type Found = Omit<FoundFile, 'name'> | Omit<SkippedFile, 'name'>;

async function* walk(path: string, { followLinks, above }: Walk): AsyncGenerator<Found> {
  const entries = await children(path);
  if (!Array.isArray(entries)) return yield entries;
  const real = await realpath(path);
  if (above.includes(real)) return yield { path, skipped: 'link to a folder that contains it' };
  const inside = { followLinks, above: [...above, real] };
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = join(path, entry.name);
    const skipped = reasonToSkip(entry, followLinks);
    if (skipped) yield { path: at, skipped };
    else yield* walk(at, inside);
  }
}

function reasonToSkip(entry: Dirent, followLinks: boolean): string | undefined {
  if (entry.name.startsWith('.')) return entry.isDirectory() ? 'hidden folder' : 'hidden file';
  if (entry.isSymbolicLink()) return followLinks ? undefined : 'symbolic link';
  return entry.isDirectory() || entry.isFile() ? undefined : 'not a regular file';
}

/** The entries of a directory, or the file itself if the path is a file. */
async function children(path: string): Promise<Dirent[] | Found> {
  try {
    if ((await stat(path)).isDirectory()) return await readdir(path, { withFileTypes: true });
    await access(path, constants.R_OK);
    return { path };
  } catch (error) {
    return { path, error: reason(error) };
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or directory';
  if (code === 'ELOOP') return 'too many levels of symbolic links';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return message;
}

/**
 * Names files so that equal names in different folders stay apart: as typed for a path below the
 * current directory, otherwise from the last part of the given path on.
 */
function namer(given: string): (path: string) => string {
  const root = normalize(given);
  const outside = isAbsolute(root) || root.split(sep)[0] === '..';
  return (path) => {
    const below = outside ? join(basename(root), relative(root, path)) : normalize(path);
    return below.split(sep).join('/');
  };
}
