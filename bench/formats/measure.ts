import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { findFormat } from '../../src/content/index.ts';
import { sniff } from '../../src/content/sniff.ts';
import { describeError } from '../../src/lib/describe-error.ts';
import { wordRecall } from './recall.ts';

/** A file with the text that LibreOffice reads from it. */
export interface Measured {
  file: string;
  family: string;
  /** Whether failures in it were looked at while the walks were written. */
  half: 'looked at' | 'not looked at';
  /** 0 if it could not be read. */
  recall: number;
  error?: string;
}

export async function measureFormats(corpora: string): Promise<Measured[]> {
  const truth = join(corpora, 'truth/formats');
  const names = await readdir(truth, { recursive: true });
  const files = names.filter((name) => name.endsWith('.txt')).map((name) => name.slice(0, -4));
  const measured: Measured[] = [];
  for (const file of files.toSorted()) {
    const half = halfOf(file);
    const family = families[extname(file).slice(1)] ?? extname(file).slice(1);
    const wanted = await readFile(join(truth, `${file}.txt`), 'utf8');
    try {
      const text = await readText(join(corpora, 'formats', file));
      measured.push({ file, family, half, recall: wordRecall(wanted, text) });
    } catch (error) {
      measured.push({ file, family, half, recall: 0, error: describeError(error) });
    }
  }
  return measured;
}

const families: Record<string, string> = { docm: 'docx', xlsm: 'xlsx', pptm: 'pptx' };

/** By name, so that the split does not depend on results. */
function halfOf(file: string): Measured['half'] {
  const [first = 0] = createHash('sha256').update(file).digest();
  return first % 2 === 0 ? 'looked at' : 'not looked at';
}

async function readText(path: string): Promise<string> {
  const mediaType = await sniff(createReadStream(path), async () => path);
  const format = findFormat(mediaType);
  if (!format?.inspect || !format.text) throw new Error(`${mediaType} has no text`);
  const { pages } = await format.inspect({ path, mediaType, maxPages: 1e6, maxPixels: 1e9 });
  const input = { path, mediaType, first: 1, last: pages, maxText: 10_000_000 };
  return (await format.text(input)).pages.map(({ text }) => text).join('\n');
}
