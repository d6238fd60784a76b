import { readFile, rename } from 'node:fs/promises';

/** Keeps the log of the previous run as `<path>.1`. */
export async function rotateLog(path: string): Promise<void> {
  await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

const quotedLines = 8;

/** The last lines of a server's log, for an error message. */
export async function lastLines(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim().split('\n').slice(-quotedLines).join('\n');
}

/**
 * Whether the server exited because its port was taken. It was free when chosen, so a retry helps.
 */
export async function saysPortTaken(path: string): Promise<boolean> {
  return /Address already in use|EADDRINUSE/.test(await readFile(path, 'utf8'));
}
