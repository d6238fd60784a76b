import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../test/kit/batches.ts';
import { corpora } from '../../test/kit/corpora.ts';
import { drain } from '../../test/kit/drain.ts';
import { splitZipOf } from '../../test/kit/split-zip.ts';
import { zipOf } from '../../test/kit/zip.ts';
import { checkInvariants } from '../engine/invariants.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import type { ProcessorRequest } from '../sandbox/messages.ts';
import { operations } from '../sandbox/operations.ts';
import { runOperation } from '../sandbox/run-operation.ts';
import { claim } from './claim.ts';
import { finalize } from './finalize.ts';
import { unpack } from './unpack.ts';

const pipeline = definePipeline({
  claim: step(claim, { single: 'finalize', container: 'unpack', part: end }),
  unpack: step(unpack, { unpacked: end, family: 'finalize' }),
  finalize: step(finalize, { finalized: end }),
});
const kit = await openTestBatches(pipeline);
afterAll(() => kit.close());

const inChild = (work: ProcessorRequest) => runOperation(operations, work);
const run = () => drain(kit.runnerWith(), inChild);
const archives = join(corpora ?? '', 'formats/sharpcompress');
const volumesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const file = name.replace('#', String(i + 1).padStart(name.includes('7z') ? 3 : 2, '0'));
    return { name: file, bytes: readFileSync(join(archives, file)) };
  });

async function admitAll(files: { name: string; bytes: Buffer }[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, bytes } of files) ids.push((await kit.admit(bytes, name)).documentId);
  return ids;
}
const entriesOf = async (id: string) =>
  (
    await kit.pool.query<{ path: string; bytes: string }>(
      'select path, bytes from documents where parent_id = $1 order by bytes',
      [id],
    )
  ).rows.map(({ bytes }) => Number(bytes));
const isPart = (name: string) => ({
  status: 'completed',
  metadata: { partOf: name },
  contents: null,
});

describe.skipIf(!corpora)('volumes that are given together', { timeout: 60_000 }, () => {
  test.each([
    ['Original.7z.#', 7, [15_498, 40_372, 45_056]],
    ['Rar.multi.part#.rar', 6, [15_498, 40_372, 45_056]],
    ['Rar5.multi.part#.rar', 6, [15_498, 40_372, 45_056]],
  ])('%s: the archive is unpacked once; the others are its parts', async (name, count, sizes) => {
    const volumes = volumesOf(name, count);
    // The order of arrival does not matter.
    const ids = await admitAll(volumes.toReversed());
    await run();
    const [main = '', ...others] = ids.toReversed();
    expect(await entriesOf(main)).toEqual(sizes);
    for (const id of others)
      expect(await kit.documentOf(id)).toMatchObject(isPart(volumes[0]?.name ?? ''));
    // Entries are not read here.
    const broken = await checkInvariants(kit.pool);
    expect(broken.filter(({ invariant }) => invariant !== 'completed-was-read')).toEqual([]);
  });

  test('a volume that is missing is named', async () => {
    const volumes = volumesOf('Rar5.multi.part#.rar', 6).filter((_, i) => i !== 3);
    const [main = ''] = await admitAll(
      volumes.map(({ name, bytes }) => ({ name: name.replace('multi', 'gap'), bytes })),
    );
    await run();
    expect(await kit.documentOf(main)).toMatchObject({ status: 'completed' });
    const { rows } = await kit.pool.query(
      'select reason from batch_items where container_id = $1 order by position desc limit 1',
      [main],
    );
    expect(rows[0]?.reason).toMatch(/Rar5\.gap\.part04\.rar is missing/);
  });

  test('an archive whose last volume is missing fails, and names it', async () => {
    const volumes = volumesOf('Original.7z.#', 6);
    const [main = ''] = await admitAll(
      volumes.map(({ name, bytes }) => ({ name: name.replace('Original', 'Short'), bytes })),
    );
    await run();
    expect(await kit.deadLettersOf(main)).toMatchObject([
      { code: 'INVALID_FILE', message: expect.stringMatching(/^Short\.7z\.007 is missing/) },
    ]);
  });

  test('in a folder of another archive they belong together as well', async () => {
    const volumes = volumesOf('Original.7z.#', 7);
    const inside = volumes.map(({ name, bytes }) => ({ name: `in/${name}`, body: bytes }));
    const elsewhere = { name: 'Original.7z.002', body: 'not of this set' };
    const { documentId } = await kit.admit(zipOf([...inside, elsewhere]), 'volumes.zip');
    await run();
    const { rows } = await kit.pool.query<{ id: string; path: string; status: string }>(
      'select id, path, status from documents where parent_id = $1 order by position',
      [documentId],
    );
    expect(rows.map(({ path, status }) => [path, status])).toEqual([
      ...volumes.map(({ name }) => [`in/${name}`, 'completed']),
      ['Original.7z.002', 'failed'],
    ]);
    expect(await entriesOf(rows[0]?.id ?? '')).toHaveLength(3);
  });
});

test('a zip and its first volume are unpacked together', async () => {
  const { z01, zip } = splitZipOf('letter.txt', 'Dear Sir, '.repeat(100));
  const [first = '', main = ''] = await admitAll([
    { name: 'Split.z01', bytes: z01 },
    { name: 'Split.zip', bytes: zip },
  ]);
  await run();
  expect(await entriesOf(main)).toEqual([1000]);
  expect(await kit.documentOf(main)).toMatchObject({ contents: { documents: 1, engine: '7-zip' } });
  expect(await kit.documentOf(first)).toMatchObject(isPart('Split.zip'));
});

test('a later volume alone names the one that it needs', async () => {
  const { z01 } = splitZipOf('letter.txt', 'Dear Madam');
  const [id = ''] = await admitAll([{ name: 'Alone.z01', bytes: z01 }]);
  await run();
  expect(await kit.deadLettersOf(id)).toMatchObject([
    {
      code: 'INVALID_FILE',
      message: expect.stringMatching(/^Alone\.z01 is one volume .* Alone\.zip is missing/),
    },
  ]);
});

test('files that only have such names are judged by their content', async () => {
  const ids = await admitAll([
    { name: 'notes.txt.001', bytes: Buffer.from('The first of my notes') },
    { name: 'notes.txt.002', bytes: Buffer.from('The second of my notes') },
    { name: 'plain.zip', bytes: zipOf([{ name: 'a.txt', body: 'alone' }]) },
  ]);
  await run();
  for (const id of ids) expect((await kit.documentOf(id)).metadata).toBeNull();
  expect(await entriesOf(ids[2] ?? '')).toEqual([5]);
});
