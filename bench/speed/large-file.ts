import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { compare, summarize } from './figure.ts';
import { withApi } from './intake.ts';
import { interleave } from './interleave.ts';
import type { Part } from './part.ts';
import { peakMemoryMb } from './process.ts';

const run = promisify(execFile);
const chunkBytes = 2 ** 20;

/**
 * One file of 2 GB over HTTP: it must be streamed, and not cost much more than copying and hashing
 * it.
 */
export const largeFile: Part = {
  async run(bench) {
    const path = join(bench.directory, 'large');
    const chunks = bench.size(2048);
    await makeFile(path, chunks);
    const peaks: number[] = [];
    try {
      const samples = await interleave(bench, {
        millrace: () =>
          withApi(bench, async (url, key, server) => {
            const megabytes = await perSecond(chunks, () => send(path, url, key));
            peaks.push(await peakMemoryMb(server));
            return megabytes;
          }),
        copy: () => perSecond(chunks, () => copyAndHash(bench, path)),
      });
      const what = `intake of one file of ${chunks} MB`;
      return [
        compare(
          { what, unit: 'MB/s', against: 'cp + sha256sum', target: { atLeast: 0.7 } },
          samples.millrace,
          samples.copy,
        ),
        {
          what: `${what}, most memory`,
          unit: 'MB',
          ours: summarize(peaks),
          target: { atMost: 300 },
        },
      ];
    } finally {
      await rm(path, { force: true });
    }
  },
};

async function makeFile(path: string, chunks: number): Promise<void> {
  const file = await open(path, 'w');
  const chunk = randomBytes(chunkBytes);
  for (let i = 0; i < chunks; i++) await file.write(chunk);
  await file.close();
}

async function perSecond(megabytes: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return megabytes / ((performance.now() - startedAt) / 1000);
}

async function copyAndHash({ directory }: Bench, path: string): Promise<void> {
  const copy = join(directory, 'copy');
  await run('cp', [path, copy]);
  await run('sha256sum', [copy]);
  await rm(copy);
}

async function send(path: string, url: string, key: string): Promise<void> {
  const file = await open(path);
  const { size } = await file.stat();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/octet-stream',
      'content-length': size,
    };
    const sending = request(
      `${url}/v1/documents?name=large.bin`,
      { method: 'POST', headers },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      },
    );
    sending.once('error', reject);
    file.createReadStream({ highWaterMark: chunkBytes }).pipe(sending);
  });
  if (status !== 202) throw new Error(`Intake of a large file answered ${status}`);
}
