import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SetupError } from '../../errors.ts';
import { identifyProcess, isRunning, parseIdentity } from './process-identity.ts';

/**
 * Takes the lock file at `path`, replacing that of a dead process. Returns the release function.
 */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  const content = JSON.stringify(await identifyProcess(process.pid));
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, content, { mode: 0o600 });
  try {
    while (!(await linked(mine, path))) await clearStaleLock(path);
  } finally {
    await rm(mine, { force: true });
  }
  return async () => {
    if ((await read(path)) === content) await rm(path, { force: true });
  };
}

async function clearStaleLock(path: string): Promise<void> {
  const seen = await read(path);
  if (seen === undefined) return;
  const holder = parseIdentity(seen);
  if (holder && (await isRunning(holder))) throw inUse(path, holder.pid);
  // Another process may have replaced the stale lock since we read it. So move the file aside,
  // check its content, and put it back if it changed.
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(ifNot('ENOENT'));
  const moved = await read(aside);
  if (moved !== undefined && moved !== seen) await linked(aside, path);
  await rm(aside, { force: true });
}

function inUse(path: string, pid: number): SetupError {
  const who = pid === process.pid ? 'this process' : `process ${pid}`;
  const hint = `Send documents to it with \`millrace submit\`, stop ${who}, or set another MILLRACE_DATA.`;
  return new SetupError(`The data directory ${dirname(path)} is in use by ${who}.`, hint);
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
