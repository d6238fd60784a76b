import { readFile, rename } from 'node:fs/promises';

/** Keeps the log of the run before as `<path>.1`; the new run starts an empty one. */
export async function rotateLog(path: string): Promise<void> {
  await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

const quotedLines = 8;

/** The last lines a server wrote, for an error message. */
export async function lastLines(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim().split('\n').slice(-quotedLines).join('\n');
}

/** Whether a server that ended found its port in use: it was free when we chose it, so choosing again helps. */
export async function saysPortTaken(path: string): Promise<boolean> {
  return /Address already in use|EADDRINUSE/.test(await readFile(path, 'utf8'));
}
