import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { corpora } from '../../test/kit/corpora.ts';

const truth = z.object({ file: z.string(), words: z.array(z.string()) });

export interface Receipt {
  file: string;
  path: string;
  lines: string[];
}

export async function receipts(limit: number): Promise<Receipt[]> {
  if (!corpora) throw new Error('No corpora: set MILLRACE_CORPORA to their folder');
  const folder = corpora;
  const rows = (await readFile(join(folder, 'truth/sroie.jsonl'), 'utf8')).trim().split('\n');
  return rows
    .map((row) => truth.parse(JSON.parse(row)))
    .toSorted((a, b) => a.file.localeCompare(b.file))
    .slice(0, limit)
    .map(({ file, words }) => ({ file, path: join(folder, 'sroie', file), lines: words }));
}
