import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { openDataDirectory, startEmbedded } from './index.ts';

const takenFirst = vi.hoisted(() => ({ ports: [] as number[] }));

vi.mock('./free-port.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./free-port.ts')>();
  return {
    ...original,
    freePort: async () => takenFirst.ports.shift() ?? (await original.freePort()),
  };
});

it.each([
  ['Postgres', { postgres: true, redis: false }],
  ['Redis', { postgres: false, redis: true }],
])('%s tries another port when somebody was faster', async (_, services) => {
  const somebody = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void somebody.close());
  await once(somebody, 'listening');
  const address = somebody.address();
  if (address && typeof address === 'object') takenFirst.ports.push(address.port);
  const directory = await openDataDirectory(await temporaryDirectory());
  const embedded = await startEmbedded({ directory, services, durable: false, log: () => {} });
  expect(takenFirst.ports).toEqual([]);
  expect(embedded.describe()).toHaveLength(1);
  await embedded.stop();
});
