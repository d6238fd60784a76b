import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SetupError } from '../errors.ts';
import type { Finding } from './check.ts';

const gigabyte = 2 ** 30;
const scarce = 5 * gigabyte;
const least = gigabyte / 4;

/** Room where documents are kept and where they are unpacked. */
export async function examineDisk(directories: readonly string[]): Promise<Finding> {
  const rooms = await Promise.all(
    directories.map(async (path) => ({ path, free: await freeAt(resolve(path)) })),
  );
  const found = rooms
    .map(({ path, free }) => `${(free / gigabyte).toFixed(1)} GB free in ${path}`)
    .join(', ');
  const { path, free } = rooms.reduce((a, b) => (a.free < b.free ? a : b));
  const fix = `Free space in ${path}; TMPDIR and MILLRACE_DATA choose other places.`;
  if (free < least) throw new SetupError(`There is no room: ${found}.`, fix);
  return free < scarce ? { found, fix } : { found };
}

/** A directory that is not there yet is made where its parent is. */
async function freeAt(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return freeAt(dirname(path));
  }
}
