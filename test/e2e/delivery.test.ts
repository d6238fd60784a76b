import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { sweepDeliveries } from '../../src/jobs/sweep-deliveries.ts';
import { sweepLapsedLeases } from '../../src/jobs/sweep-stale-claims.ts';
import { entryPoint } from '../../src/lib/entry-point.ts';
import { HOUR } from '../../src/lib/time.ts';
import { startManagerSimulator } from '../../src/simulators/manager/index.ts';
import { openDelivering } from '../kit/delivering.ts';
import { drain } from '../kit/drain.ts';

/** A few in every run; `npm run chaos:deliveries` makes it fifty. */
const kills = Number(process.env.MILLRACE_TEST_KILLS ?? 4);

/** Deaths of a worker with so many documents in flight: after the manager's answer, or while it is on its way. */
const deaths = [
  ...Array.from({ length: kills }, (_, i) => ({ inFlight: 1, answered: i % 2 === 0 })),
  { inFlight: 10, answered: false },
];
const documents = kills + 10;

test(`killed between the call and the commit, ${kills} times alone and once among ten: the manager holds each document once`, {
  timeout: 60_000 + kills * 20_000,
}, async () => {
  const engine = await openDelivering();
  onTestFinished(engine.close);
  const { db, pool } = engine.resources.database;
  let onTaken = (): Promise<void> => Promise.resolve();
  const manager = await startManagerSimulator({ onTaken: () => onTaken() });
  onTestFinished(() => manager.close());
  const destinationId = await engine.destination({ url: manager.url }, { enabled: false });
  for (let i = 0; i < documents; i++) await engine.admit(`document ${i}`);
  await drain(engine.runnerWith());
  await pool.query('update destinations set enabled = true where id = $1', [destinationId]);
  const { hints } = await sweepDeliveries(db, { stuckMs: HOUR, giveUpMs: HOUR, limit: 500 });
  expect(hints).toHaveLength(documents);

  const { path, execArgv } = entryPoint(
    new URL('../kit/kit.ts', import.meta.url).href,
    'deliverer',
  );
  const die = async ({ inFlight, answered }: (typeof deaths)[number]) => {
    let taken = 0;
    const allTaken = new Promise<void>((resolve) => {
      onTaken = () => {
        taken += 1;
        if (taken === inFlight) resolve();
        // The manager has the document; its answer comes, or never does.
        return answered ? Promise.resolve() : new Promise(() => undefined);
      };
    });
    const failpoints = answered ? ['deliver.performed/*=kill'] : [];
    const child = fork(path, [engine.url, engine.directory, String(inFlight), ...failpoints], {
      execArgv,
    });
    const exited = once(child, 'exit');
    await Promise.race([allTaken, exited]);
    if (!answered) child.kill('SIGKILL');
    expect([taken, ...(await exited)]).toEqual([inFlight, null, 'SIGKILL']);
    await pool.query(
      "update tasks set lease_until = now() - interval '1 s' where state = 'running'",
    );
    const { policy, failSubject } = engine.runnerWith();
    await sweepLapsedLeases(pool, {
      policy,
      failSubject,
      leaseMs: 0,
      admission: { first: 'claim', giveUpMs: HOUR },
      limit: 500,
    });
  };
  for (const death of deaths) await die(death);
  expect([...manager.store.handedOver.values()]).toEqual(Array(documents).fill(1));
  const statuses = async () =>
    (await pool.query('select status, count(*)::int as n from deliveries group by status')).rows;
  expect(await statuses()).toEqual([{ status: 'QUEUED', n: documents }]);

  onTaken = () => Promise.resolve();
  await engine.run();
  expect(await statuses()).toEqual([{ status: 'MANAGED', n: documents }]);
  expect(manager.store.documents).toHaveLength(documents);
  expect([...manager.store.handedOver.values()]).toEqual(Array(documents).fill(1));
});
