import { readFile, rename } from 'node:fs/promises';

/** Keeps the log of the run before as `<path>.1`; the new run starts an empty one. */
export async function rotateLog(path: string): Promise<void> {
  await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** The last lines a server wrote, for an error message. */
export async function lastLines(path: string, count = 5): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-count).join('\n');
}
