import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SetupError } from '../errors.ts';
import type { Finding } from './check.ts';

const gigabyte = 2 ** 30;
const warnBelow = 5 * gigabyte;
const failBelow = gigabyte / 4;

/** Free space where documents are stored and where they are unpacked. */
export async function examineDisk(directories: readonly string[]): Promise<Finding> {
  const spaces = await Promise.all(
    directories.map(async (path) => ({ path, free: await freeAt(resolve(path)) })),
  );
  const found = spaces
    .map(({ path, free }) => `${(free / gigabyte).toFixed(1)} GB free in ${path}`)
    .join(', ');
  const { path, free } = spaces.reduce((a, b) => (a.free < b.free ? a : b));
  const fix = `Free space in ${path}, or choose another directory with TMPDIR or MILLRACE_DATA.`;
  if (free < failBelow) throw new SetupError(`Not enough disk space: ${found}.`, fix);
  return free < warnBelow ? { found, fix } : { found };
}

/** A directory that does not exist yet will be created on the disk of its parent. */
async function freeAt(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return freeAt(dirname(path));
  }
}
