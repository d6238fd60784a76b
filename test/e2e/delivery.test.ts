import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { sweepDeliveries } from '../../src/deliveries/sweep.ts';
import { drain } from '../../src/engine/drain.ts';
import { sweepLapsedLeases } from '../../src/engine/sweep.ts';
import { entryPoint } from '../../src/lib/entry-point.ts';
import { HOUR } from '../../src/lib/time.ts';
import { startManagerSimulator } from '../../src/providers/simulators/manager.ts';
import { openDelivering } from '../kit/delivering.ts';

const kills = 5;
const atOnce = 10;

test('killed between the call and the commit, 50 times: the manager holds each document once', {
  timeout: 180_000,
}, async () => {
  const engine = await openDelivering();
  onTestFinished(engine.close);
  const { db, pool } = engine.resources.database;
  let taken = 0;
  let allTaken = () => {};
  const manager = await startManagerSimulator({
    // The manager has the document; its answer never comes.
    onTaken: () => {
      taken += 1;
      if (taken % atOnce === 0) allTaken();
      return new Promise(() => undefined);
    },
  });
  onTestFinished(() => manager.close());
  const destinationId = await engine.destination({ url: manager.url }, { enabled: false });
  for (let i = 0; i < kills * atOnce; i++) await engine.admit(`document ${i}`);
  await drain(engine.runnerWith());
  await pool.query('update destinations set enabled = true where id = $1', [destinationId]);
  const { hints } = await sweepDeliveries(db, { stuckMs: HOUR, giveUpMs: HOUR, limit: 500 });
  expect(hints).toHaveLength(kills * atOnce);

  const { path, execArgv } = entryPoint(new URL('../kit/kit.ts', import.meta.url).href, 'deliverer');
  for (let kill = 0; kill < kills; kill++) {
    const handedOver = new Promise<void>((resolve) => {
      allTaken = resolve;
    });
    const child = fork(path, [engine.url, engine.directory, String(atOnce)], { execArgv });
    const exited = once(child, 'exit');
    await Promise.race([handedOver, exited]);
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    await pool.query("update tasks set lease_until = now() - interval '1 s' where state = 'running'");
    await sweepLapsedLeases(pool, {
      policy: engine.runnerWith().policy,
      leaseMs: 0,
      admission: { first: 'claim', giveUpMs: HOUR },
      limit: 500,
    });
  }
  expect(taken).toBe(kills * atOnce);
  const { rows: left } = await pool.query('select status, count(*)::int as n from deliveries group by status');
  expect(left).toEqual([{ status: 'QUEUED', n: kills * atOnce }]);

  await engine.run();
  const { rows } = await pool.query('select status, count(*)::int as n from deliveries group by status');
  expect(rows).toEqual([{ status: 'MANAGED', n: kills * atOnce }]);
  expect(manager.store.documents).toHaveLength(kills * atOnce);
  expect(new Set(manager.store.handedOver.values())).toEqual(new Set([1]));
});
