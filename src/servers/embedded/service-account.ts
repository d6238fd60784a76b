import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Postgres refuses to run as root, so it then runs as "nobody" (65534 on Linux). Otherwise it runs
 * as our own user.
 */
export function serviceAccount(): { uid: number; gid: number } | undefined {
  return isRoot() ? { uid: 65534, gid: 65534 } : undefined;
}

/**
 * Whether the service account can write to this directory, given the permissions of its parents.
 */
export async function serviceAccountCanWrite(directory: string): Promise<boolean> {
  const probe = promisify(execFile)('/bin/sh', ['-c', 'test -w "$1"', 'sh', directory], {
    cwd: '/',
    ...serviceAccount(),
  });
  return probe.then(() => true).catch(() => false);
}
