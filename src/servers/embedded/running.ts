import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Closers } from '../../lib/closers.ts';

const addresses = z.object({
  databaseUrl: z.string(),
  ownerUrl: z.string().optional(),
  redisUrl: z.string(),
  describe: z.array(z.string()),
});
export type Addresses = z.infer<typeof addresses>;

const fileIn = (directory: string) => join(resolve(directory), 'secrets', 'running.json');

/** Lets commands beside this process find its servers. Only the owner can read the file. */
export async function publishAddresses(
  directory: string,
  running: Addresses,
  closers: Closers,
): Promise<void> {
  const path = fileIn(directory);
  await writeFile(path, JSON.stringify(running), { mode: 0o600 });
  closers.add(() => rm(path, { force: true }));
}

/** The servers of the process that uses the directory; undefined if it is still starting. */
export async function findAddresses(directory: string): Promise<Addresses | undefined> {
  const text = await readFile(fileIn(directory), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : addresses.parse(JSON.parse(text));
}
