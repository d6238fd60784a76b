import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ChildPool } from 'bullmq';
import { expect, onTestFinished, test } from 'vitest';
import { processorEntry } from '../../sandbox/sandbox.ts';
import { KeyedChildren } from './keyed-children.ts';

function setup() {
  const bullmq = dirname(createRequire(import.meta.url).resolve('bullmq'));
  const pool = new ChildPool({
    mainFile: join(bullmq, 'classes', 'main.js'),
    workerForkOptions: { execArgv: processorEntry.execArgv },
  });
  onTestFinished(() => pool.clean());
  let key = 'a';
  const children = new KeyedChildren(pool, () => key);
  const pidFor = async (owner: string) => {
    key = owner;
    const child = await pool.retain(processorEntry.path);
    pool.release(child);
    return child.pid;
  };
  return { children, pidFor };
}

test('a child of BullMQ serves one workspace only', { timeout: 60_000 }, async () => {
  const { pidFor } = setup();
  const first = await pidFor('a');
  expect(await pidFor('a')).toBe(first);
  expect(await pidFor('b')).not.toBe(first);
  expect(await pidFor('a')).not.toBe(first);
});

test('a child is not used again after a hostile document', { timeout: 60_000 }, async () => {
  const { children, pidFor } = setup();
  const first = await pidFor('a');
  children.discardOf('a');
  expect(await pidFor('a')).not.toBe(first);
});
