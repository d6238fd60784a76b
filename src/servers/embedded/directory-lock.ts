import { createHash, randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../../errors.ts';
import { identifyProcess, isRunning, parseIdentity } from './process-identity.ts';

/**
 * Takes the lock file at `path`, replacing that of a dead process. Returns the release function.
 */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  // The nonce makes every lock unique, also those of one process.
  const content = JSON.stringify({ ...(await identifyProcess(process.pid)), nonce: randomUUID() });
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, content, { mode: 0o600 });
  try {
    while (!(await linked(mine, path))) if (await replacedStale(mine, path)) break;
  } finally {
    await rm(mine, { force: true });
  }
  return async () => {
    if ((await read(path)) === content) await rm(path, { force: true });
  };
}

/** Returns whether the lock at `path` was stale and is now ours. */
async function replacedStale(mine: string, path: string): Promise<boolean> {
  const stale = await read(path);
  if (stale === undefined) return false;
  const holder = parseIdentity(stale);
  if (holder && (await isRunning(holder))) throw inUse(path, holder.pid);
  const claims = `${path}.after-${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`;
  const claim = await claimSuccession(mine, claims);
  if (!claim) {
    await sleep(10);
    return false;
  }
  try {
    // Only the holder of the claim replaces this lock, so it cannot change after this check.
    if ((await read(path)) !== stale) return false;
    await rename(mine, path);
    await removeClaims(claims);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

/**
 * Takes the right to replace one particular stale lock; undefined while another process has it. A
 * claim whose holder died is never removed but followed by the next number, because removing it
 * could remove that of a successor.
 */
async function claimSuccession(mine: string, claims: string): Promise<string | undefined> {
  for (let number = 1; ; number += 1) {
    const claim = `${claims}.${number}`;
    if (await linked(mine, claim)) return claim;
    const holder = parseIdentity((await read(claim)) ?? '');
    if (!holder || (await isRunning(holder))) return undefined;
  }
}

/** The stale lock is gone, so claims on it have no effect any more. */
async function removeClaims(claims: string): Promise<void> {
  const directory = dirname(claims);
  for (const name of await readdir(directory))
    if (name.startsWith(`${basename(claims)}.`)) await rm(join(directory, name), { force: true });
}

/** Another process has the data directory, and runs its servers. */
export class DirectoryInUseError extends SetupError {}

function inUse(path: string, pid: number): DirectoryInUseError {
  const who = pid === process.pid ? 'this process' : `process ${pid}`;
  const hint = `Send documents to it with \`millrace submit\`, stop ${who}, or set another MILLRACE_DATA.`;
  return new DirectoryInUseError(`The data directory ${dirname(path)} is in use by ${who}.`, hint);
}

const linked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    (error) => ifNot('EEXIST')(error) ?? false,
  );

const read = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(ifNot('ENOENT'));

function ifNot(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
