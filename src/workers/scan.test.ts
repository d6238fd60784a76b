import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClamdSimulator, streamLimit, type TestClamd, virus } from '../../test/kit/clamd.ts';
import { drain } from '../../test/kit/drain.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { zipOf } from '../../test/kit/zip.ts';
import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import { openClamd } from '../providers/clamd.ts';
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

let clamd: TestClamd;
let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  clamd = await startClamdSimulator();
  engine = await openTestEngine(pipeline, { scanner: openClamd(clamd.address) });
});
afterAll(async () => {
  await engine.close();
  await clamd.close();
});

const run = () =>
  drain(engine.runnerWith(), async (work: ProcessorRequest) => runOperation(operations, work));
const admit = async (bytes: string | Buffer, name: string) =>
  (await engine.admit(bytes, name)).documentId;
const problemsOf = async (id: string) =>
  (await engine.deadLettersOf(id)).map(({ code, message }) => ({ code, message }));

test('an infected document fails with the name of the signature, a clean one passes', async () => {
  const [infected, clean] = [await admit(virus, 'bad.txt'), await admit('clean', 'good.txt')];
  await run();
  expect(await problemsOf(infected)).toEqual([
    { code: 'INFECTED', message: 'bad.txt contains Test.Virus' },
  ]);
  expect((await engine.ingestionOf(infected)).status).toBe('failed');
  expect((await engine.ingestionOf(clean)).status).toBe('completed');
});

test('each entry of a container is scanned', async () => {
  const entries = [
    { name: 'bad.txt', body: virus },
    { name: 'good.txt', body: 'also clean' },
  ];
  const id = await admit(zipOf(entries), 'both.zip');
  await run();
  const { rows } = await engine.resources.database.pool.query(
    'select name, status from documents where parent_id = $1 order by name',
    [id],
  );
  expect(rows).toEqual([
    { name: 'bad.txt', status: 'failed' },
    { name: 'good.txt', status: 'completed' },
  ]);
});

test('what is too large to be scanned is refused, unless its entries can be', async () => {
  const large = await admit('x'.repeat(streamLimit + 1), 'large.txt');
  const body = Buffer.alloc(streamLimit - 1, 'y');
  const entries = ['a.txt', 'b.txt'].map((name) => ({ name, body, stored: true }));
  const container = await admit(zipOf(entries), 'large.zip');
  await run();
  expect(await problemsOf(large)).toMatchObject([{ code: 'NOT_SCANNED' }]);
  expect((await engine.ingestionOf(container)).status).toBe('completed');
});

test('while the scanner is away, documents wait without an attempt', async () => {
  const gone = await startClamdSimulator();
  await gone.close();
  const away = await openTestEngine(pipeline, { scanner: openClamd(gone.address) });
  const { documentId } = await away.admit('clean', 'waits.txt');
  await drain(away.runnerWith());
  expect(await away.taskOf(documentId)).toMatchObject({
    state: 'ready',
    stage: 'claim',
    attempts: 0,
  });
  await away.close();
});
