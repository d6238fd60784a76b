import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { newKeyText } from '../../src/db/api-keys.ts';
import { toDollars } from '../../src/domain/money.ts';
import { newId } from '../../src/lib/ids.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { runCli, startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { serverEnvironment } from '../kit/server-environment.ts';

/** A whole server whose model costs money, and a batch that may cost little. */
const patience = { timeout: 90_000, interval: 200 };
const key = newKeyText();
let engine: Awaited<ReturnType<typeof openTestEngine>>;
let model: OpenAiSimulator;
let server: ReturnType<typeof startCli>;
let url: string;

beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  model = await startOpenAiSimulator();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = startCli(['up'], {
    ...serverEnvironment(engine, { key, port }),
    OPENAI_API_KEY: 'simulated',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'simulated',
    OPENAI_PRICE_INPUT: '1',
    OPENAI_PRICE_OUTPUT: '4',
  });
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
}, 120_000);
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await model.close();
  await engine.close();
});

const headers = { authorization: `Bearer ${key}` };
async function millrace(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, { MILLRACE_URL: url, MILLRACE_API_KEY: key });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
}
const reason = z.looseObject({ reason: z.string(), message: z.string() });
const batch = z.looseObject({
  state: z.string(),
  maxCost: z.number().nullable(),
  progress: z.looseObject({ completed: z.number(), held: z.number(), cost: z.number() }),
});
const batchOf = async (id: string) =>
  batch.parse(await (await fetch(`${url}/v1/batches/${id}`, { headers })).json());

/** What the next call may cost, where one is held. */
async function needed(): Promise<number> {
  const { rows } = await engine.resources.database.pool.query<{ needs: number }>(
    "select (held->>'needs')::int as needs from tasks where held is not null limit 1",
  );
  return toDollars(rows[0]?.needs ?? 0);
}

function invoice(number: string): string {
  return [
    'Example Ltd, 1 Mill Lane',
    'INVOICE',
    `Invoice number: ${number}`,
    'Invoice date: 2026-03-14',
    'Subtotal: 100.00 EUR',
    'VAT 19 %: 19.00 EUR',
    'Total: 119.00 EUR',
  ].join('\n');
}

describe('a batch that may cost little', { timeout: 180_000 }, () => {
  const documents: string[] = [];
  let id: string;
  let paid: number;

  test('is held when its ceiling is reached, and says so', async () => {
    // What a call may cost at most is about 8 cents; what it does cost is about a quarter of one.
    id = await millrace('batch', 'create', 'March', '--max-cost', '0.09');
    for (let i = 0; i < 10; i++) {
      const path = `${url}/v1/batches/${id}/documents?name=${i}.txt`;
      const answer = await fetch(path, { method: 'POST', body: invoice(newId()), headers });
      documents.push(z.object({ id: z.string() }).parse(await answer.json()).id);
    }
    await millrace('batch', 'start', id);
    await millrace('batch', 'finish', id);
    await vi.waitFor(async () => {
      const { completed, held, cost } = (await batchOf(id)).progress;
      expect([completed + held, cost + (await needed()) > 0.09]).toEqual([10, true]);
    }, patience);
    const { progress, maxCost } = await batchOf(id);
    paid = progress.completed;
    expect(paid).toBeLessThan(10);
    expect(progress.cost).toBeLessThanOrEqual(maxCost ?? 0);
    expect(model.tally.total).toBe(paid);
  });

  test('tells why, in words and in figures', async () => {
    const reasons = (await millrace('why', '--json', ...documents))
      .split('\n')
      .map((line) => reason.parse(JSON.parse(line)));
    const held = reasons.filter((each) => each.reason === 'budget');
    expect(held).toHaveLength(10 - paid);
    expect(held[0]?.message).toMatch(/The cost limit of the batch is \$0\.09: \$0\.\d+ spent/);
    const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
    expect(metrics).toContain(`millrace_held_documents{reason="batch-budget"} ${10 - paid}`);
    const { cost } = (await batchOf(id)).progress;
    expect(
      Number(/^millrace_cost_dollars_total\{provider="openai"\} (.*)$/m.exec(metrics)?.[1]),
    ).toBeCloseTo(cost, 6);
  });

  test('goes on when it is raised, and pays for every document once', async () => {
    await millrace('batch', 'limit', id, 'none');
    await vi.waitFor(async () => expect((await batchOf(id)).state).toBe('completed'), patience);
    expect((await batchOf(id)).progress).toMatchObject({ completed: 10, held: 0 });
    expect([model.tally.total, model.tally.repeated]).toEqual([10, 0]);
    for (const document of documents)
      expect(await engine.ingestionOf(document)).toMatchObject({
        status: 'completed',
        attemptCount: 0,
      });
  });
});
