import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeMailbox } from '../../test/chaos/mailbox/write-mailbox.ts';
import { corpora } from '../../test/kit/corpora.ts';
import { installed } from '../../test/kit/programs.ts';
import { zipOf } from '../../test/kit/zip.ts';
import type { Bench } from './bench.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { compare, type Figure } from './figure.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';

const run = promisify(execFile);
/** The built program: threads of TypeScript would load its compiler. */
const built = new URL('../../dist/content/index.js', import.meta.url).href;
const { requireCapability } = (await import(built)) as typeof import('../../src/content/index.ts');
const limits = { entries: 1_000_000, bytes: 2 ** 40, ratio: 1000 };
const files = {
  pst: 'formats/go-pst/support.pst',
  documents: 'formats/poi/document',
};

/** Extraction alone, by CPU time: mailboxes, archives, and the text of Office documents. */
export const containers: Part = {
  async lacks() {
    if (!corpora) return 'the mailboxes are not here (MILLRACE_CORPORA)';
    const missing = (['readpst', 'sevenZip', 'soffice'] as const).filter(
      (name) => !installed[name],
    );
    return missing.length > 0 ? `not installed: ${missing.join(', ')}` : undefined;
  },
  async run(bench) {
    const directory = await mkdtemp(join(bench.directory, 'containers-'));
    try {
      return [
        ...(await mailboxes(bench, directory)),
        await archives(bench, directory, 'zip'),
        await archives(bench, directory, '7z'),
        await documents(bench, directory),
      ];
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function mailboxes(bench: Bench, directory: string): Promise<Figure[]> {
  const pst = join(corpora ?? '', files.pst);
  const mbox = join(directory, 'mailbox.mbox');
  await writeMailbox(mbox, bench.size(5000, 50));
  const repeat = bench.size(30, 1);
  const theirs = async (output: string) => {
    await run(installed.readpst ?? '', ['-e', '-b', '-D', '-q', '-j', '0', '-o', output, pst]);
    return countFiles(output);
  };
  const rates = await interleave(bench, {
    pst: () => rate(directory, repeat, (to) => unpack('application/vnd.ms-outlook-pst', pst, to)),
    mbox: () => rate(directory, 1, (to) => unpack('application/mbox', mbox, to)),
    readpst: () => rate(directory, repeat, theirs),
  });
  const figure = { unit: 'messages/s of CPU', against: 'readpst', target: { atLeast: 1 } };
  return [
    compare({ what: 'messages of a PST', ...figure }, rates.pst, rates.readpst),
    compare({ what: 'messages of an MBOX', ...figure }, rates.mbox, rates.readpst),
  ];
}

const types = { zip: 'application/zip', '7z': 'application/x-7z-compressed' };

async function archives(
  bench: Bench,
  directory: string,
  kind: keyof typeof types,
): Promise<Figure> {
  const path = await makeArchive(directory, kind, bench.size(2000, 20));
  const rates = await interleave(bench, {
    millrace: () => rate(directory, 1, (to) => unpack(types[kind], path, to)),
    sevenZip: () =>
      rate(directory, 1, async (to) => {
        await run(installed.sevenZip ?? '', ['x', '-y', `-o${to}`, path]);
        return countFiles(to);
      }),
  });
  const target = { atLeast: 0.7 };
  const what = `entries of a ${kind} archive`;
  return compare(
    { what, unit: 'entries/s of CPU', against: '7z x', target },
    rates.millrace,
    rates.sevenZip,
  );
}

async function makeArchive(directory: string, kind: string, count: number): Promise<string> {
  const text = (n: number) => `Report ${n}: all values are in the usual range.\n`.repeat(200);
  const entries = Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, body: text(n) }));
  const zip = join(directory, 'archive.zip');
  await writeFile(zip, zipOf(entries));
  if (kind === 'zip') return zip;
  const [path, folder] = [join(directory, 'archive.7z'), join(directory, 'files')];
  await run(installed.sevenZip ?? '', ['x', '-y', `-o${folder}`, zip]);
  await run(installed.sevenZip ?? '', ['a', '-y', path, folder]);
  return path;
}

async function documents(bench: Bench, directory: string): Promise<Figure> {
  const folder = join(corpora ?? '', files.documents);
  const paths = readdirSync(folder)
    .filter((name) => name.endsWith('.docx') && !name.startsWith('crash'))
    .slice(0, bench.size(10, 2))
    .map((name) => join(folder, name));
  const mediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const read = async () => {
    for (const path of paths)
      await requireCapability(
        mediaType,
        'text',
      )({ path, mediaType, first: 1, last: 1, maxText: 1e7 });
    return paths.length;
  };
  const convert = async (to: string) => {
    const profile = `-env:UserInstallation=file://${join(directory, 'profile')}`;
    const args = ['--headless', '--convert-to', 'txt:Text', '--outdir', to];
    for (const path of paths) await run(installed.soffice ?? '', [profile, ...args, path]);
    return countFiles(to);
  };
  const rates = await interleave(bench, {
    millrace: () => rate(directory, bench.size(5, 1), read),
    soffice: () => rate(directory, 1, convert),
  });
  return compare(
    {
      what: 'text of Word documents',
      unit: 'documents/s of CPU',
      against: 'soffice --convert-to, one call each',
      target: { atLeast: 20 },
    },
    rates.millrace,
    rates.soffice,
  );
}

/** Items per second of CPU; `work` makes them in a new directory and returns how many. */
async function rate(
  directory: string,
  repeat: number,
  work: (to: string) => Promise<number>,
): Promise<number> {
  let items = 0;
  let seconds = 0;
  for (let i = 0; i < repeat; i += 1) {
    const to = join(directory, 'output');
    await mkdir(to);
    seconds += await cpuSeconds(async () => {
      items += await work(to);
    });
    await rm(to, { recursive: true });
  }
  return items / seconds;
}

async function unpack(mediaType: string, path: string, directory: string): Promise<number> {
  let count = 0;
  const input = { path, mediaType, directory, limits, skip: 0 };
  for await (const entry of requireCapability(mediaType, 'unpack')(input))
    if ('path' in entry) count += 1;
  return count;
}

function countFiles(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
