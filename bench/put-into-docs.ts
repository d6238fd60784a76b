import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Replaces the table of a page in docs/. */
export async function putIntoDocs(name: string, text: string): Promise<void> {
  const path = join(import.meta.dirname, '../docs', name);
  const page = await readFile(path, 'utf8');
  const table = /(<!-- table -->\n).*(<!-- end of table -->)/s;
  await writeFile(
    path,
    page.replace(table, (_, start, end) => `${start}${text}\n${end}`),
  );
}
