import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The folder with real files, if there is one. */
export const corpora = [process.env.MILLRACE_CORPORA, '../shared/corpora', '../../shared/corpora']
  .flatMap((folder) => (folder ? [path.resolve(root, folder)] : []))
  .find((folder) => existsSync(path.join(folder, 'truth')));

/** Reads a file of JSON lines. */
export async function readJsonLines(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8');
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
}
