import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MINUTE } from '../../src/lib/time.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { corpora } from '../../test/kit/corpora.ts';
import type { Bench } from './bench.ts';
import { compare } from './figure.ts';
import { interleave } from './interleave.ts';
import { isInstalled } from './on-path.ts';
import type { Part } from './part.ts';

const run = promisify(execFile);
const samples = join(import.meta.dirname, '../../samples');

/** Text extraction from PDFs in a child process, on one core. */
export const pdfText: Part = {
  async lacks() {
    return (await isInstalled('pdftotext')) ? undefined : 'pdftotext is not installed';
  },
  async run(bench) {
    const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 10_000 });
    try {
      const files = await readable(bench, sandbox);
      const pages = files.reduce((sum, file) => sum + file.pages, 0);
      bench.note(`${files.length} files, ${pages} pages`);
      const rate = async (read: (path: string) => Promise<unknown>) => {
        const startedAt = performance.now();
        for (const { path } of files) await read(path);
        return pages / ((performance.now() - startedAt) / 1000);
      };
      const rates = await interleave(bench, {
        millrace: () => rate((path) => read(sandbox, path)),
        pdftotext: () => rate((path) => run('pdftotext', ['-bbox', path, '/dev/null'])),
        plain: () => rate((path) => run('pdftotext', [path, '/dev/null'])),
      });
      const line = { what: 'text of PDFs through the sandbox, one core', unit: 'pages/s' };
      return [
        compare(
          { ...line, against: 'pdftotext', target: { atLeast: 1.5 } },
          rates.millrace,
          rates.plain,
        ),
        compare(
          { ...line, against: 'pdftotext -bbox, boxes of words as ours' },
          rates.millrace,
          rates.pdftotext,
        ),
      ];
    } finally {
      await sandbox.close();
    }
  },
};

function read(sandbox: Sandbox, path: string) {
  return sandbox.run(
    'content.text',
    { path, mediaType: 'application/pdf', first: 1, last: 2000, maxText: 10_000_000 },
    { timeoutMs: MINUTE },
  );
}

/** Files that both tools can read. Broken and encrypted files are not comparable. */
async function readable(
  bench: Bench,
  sandbox: Sandbox,
): Promise<{ path: string; pages: number }[]> {
  const found: { path: string; pages: number }[] = [];
  for (const path of (await candidates()).slice(0, bench.size(100))) {
    try {
      await run('pdftotext', [path, '/dev/null']);
      const { pages } = await read(sandbox, path);
      if (pages.some(({ text }) => text.trim() !== '')) found.push({ path, pages: pages.length });
    } catch {
      bench.note(`left out: ${path}`);
    }
  }
  return found;
}

async function candidates(): Promise<string[]> {
  const folder = corpora ?? samples;
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.pdf') && !name.includes('hostile'))
    .toSorted()
    .map((name) => join(folder, name));
}
