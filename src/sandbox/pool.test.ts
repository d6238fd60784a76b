import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { hostile } from '../../test/kit/hostile-child.ts';
import { untilGone } from '../../test/kit/processes.ts';
import { PermanentError } from '../errors.ts';
import { entryPoint } from '../lib/entry-point.ts';
import { RunClock } from '../lib/run-clock.ts';
import {
  SandboxClosedError,
  SandboxCpuError,
  SandboxCrashError,
  SandboxTimeoutError,
} from './errors.ts';
import { Pool } from './pool.ts';

const kit = new URL('../../test/kit/x.ts', import.meta.url).href;
const patient = { timeoutMs: 60_000 };
const opened: Pool<typeof hostile>[] = [];

function setup(options: { processes?: number; memoryMb?: number; recycleAfter?: number } = {}) {
  const pool = new Pool<typeof hostile>(entryPoint(kit, 'hostile-child'), {
    processes: 1,
    memoryMb: 400,
    recycleAfter: 100,
    ...options,
  });
  opened.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

describe('a sandbox', () => {
  test('answers, and keeps its process warm', async () => {
    const pool = setup();
    expect(await pool.run('echo', 'hello', patient)).toBe('hello');
    expect(await pool.run('pid', undefined, patient)).toBe(
      await pool.run('pid', undefined, patient),
    );
  });

  test('kills a busy loop at its deadline; the next job is fine', async () => {
    const pool = setup();
    await expect(pool.run('loop', undefined, { timeoutMs: 300 })).rejects.toThrow(
      SandboxTimeoutError,
    );
    expect(await pool.run('echo', 'next', patient)).toBe('next');
  });

  describe.skipIf(process.platform !== 'linux')('with a CPU limit', () => {
    const cpu = { loadMs: 500, workMs: 2000 };

    test.each([
      ['to load', { loadMs: 60_000, workMs: 0 }, 'compute used more than 0.5 s of CPU time'],
      ['to work', { loadMs: 0, workMs: 60_000 }, 'compute used more than 2 s of CPU time'],
    ])('kills a job that needs too much %s; the next job is fine', async (_, input, message) => {
      const pool = setup();
      const failed = pool.run('compute', input, { ...patient, cpu });
      await expect(failed).rejects.toThrow(SandboxCpuError);
      await expect(failed).rejects.toThrow(message);
      expect(await pool.run('echo', 'next', patient)).toBe('next');
    });

    test('lets a job go on once it has loaded, and counts no time of earlier jobs', async () => {
      const pool = setup();
      const run = () => pool.run('compute', { loadMs: 100, workMs: 1000 }, { ...patient, cpu });
      expect([await run(), await run()]).toEqual(['computed', 'computed']);
    });

    test('does not count time in which a job only waits', async () => {
      await setup().run('wait', 1500, { ...patient, cpu });
    });
  });

  test('does not charge a run for the time in which others occupy its processes', async () => {
    const pool = setup();
    const [workMs, occupiedMs] = [60_000, 3000];
    const onUsedUp = () => undefined;
    const others = pool.run('wait', occupiedMs, patient);
    const clock = new RunClock({ workMs, waitMs: 60_000, onUsedUp });
    await clock.during(() => pool.run('echo', 'mine', patient));
    expect(workMs - clock.workLeftMs).toBeLessThan(occupiedMs / 2);
    clock.stop();
    await others;
  });

  test('one lane does not wait for the other', async () => {
    const pool = setup({ processes: 2 });
    const stop = new AbortController();
    const busy = Promise.allSettled(
      Array.from({ length: 4 }, () =>
        pool.run('wait', 100_000, { ...patient, signal: stop.signal, lane: 'large' }),
      ),
    );
    expect(await pool.run('echo', 'small', { ...patient, lane: 'small' })).toBe('small');
    stop.abort();
    await busy;
  });

  test.each([
    ['exits', 'exit', 3, { exitCode: 3, signal: null, outOfMemory: false }],
    ['crashes', 'segfault', undefined, { signal: 'SIGSEGV', outOfMemory: false }],
    ['leaves a rejection unhandled', 'stray', undefined, { exitCode: 71, outOfMemory: false }],
    ['fills native memory', 'nativeMemory', undefined, { outOfMemory: true }],
    ['fills the heap', 'heap', undefined, { outOfMemory: true }],
  ] as const)(
    'a process that %s fails its own job and no other',
    async (_, operation, input, death) => {
      const pool = setup({ processes: 2 });
      const waiting = pool.run('wait', 1, patient);
      const failed = await pool
        .run(operation, input as never, patient)
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(SandboxCrashError);
      expect(failed).toMatchObject(death);
      await waiting;
      expect(
        await Promise.all(['a', 'b', 'c'].map((text) => pool.run('echo', text, patient))),
      ).toEqual(['a', 'b', 'c']);
    },
  );

  test('carries errors over: permanent ones with their code, others with their message', async () => {
    const pool = setup();
    const refused = await pool.run('refuse', undefined, patient).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refused).toMatchObject({ code: 'INVALID_FILE', message: 'It is broken' });
    await expect(pool.run('fail', undefined, patient)).rejects.toThrow('no such thing');
    expect(await pool.run('echo', 'still here', patient)).toBe('still here');
  });

  test('replaces a process after so many jobs', async () => {
    const pool = setup({ recycleAfter: 2 });
    const pids = [];
    for (let i = 0; i < 4; i += 1) pids.push(await pool.run('pid', undefined, patient));
    expect(pids[0]).toBe(pids[1]);
    expect(pids[2]).toBe(pids[3]);
    expect(pids[0]).not.toBe(pids[2]);
  });

  test('replaces a process that died while idle', async () => {
    const pool = setup();
    const pid = await pool.run('pid', undefined, patient);
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    expect(await pool.run('echo', 'anew', patient)).toBe('anew');
  });

  test('kills on abort, and turns away who still waits', async () => {
    const pool = setup();
    const controller = new AbortController();
    const options = { ...patient, signal: controller.signal };
    const pid = await pool.run('pid', undefined, patient);
    const both = Promise.allSettled([
      pool.run('loop', undefined, options),
      pool.run('echo', 'never', options),
    ]);
    await setImmediate();
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await both).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await untilGone(pid);
    expect(await pool.run('echo', 'after', patient)).toBe('after');
  });

  test('keeps our environment and its output to itself', async () => {
    const pool = setup();
    const names = await pool.run('environment', undefined, patient);
    expect(
      names.filter((name) => !/^(PATH|TMPDIR|LANG|MALLOC_.*|NODE_CHANNEL_.*)$/.test(name)),
    ).toEqual([]);
    await pool.run('shout', 5_000_000, patient);
    expect(await pool.run('echo', 'quiet', patient)).toBe('quiet');
  });

  test('leaves no process when it is closed', async () => {
    const pool = setup({ processes: 2 });
    const pids = await Promise.all([
      pool.run('pid', undefined, patient),
      pool.run('pid', undefined, patient),
    ]);
    const running = pool.run('loop', undefined, patient);
    const closing = pool.close();
    await expect(running).rejects.toThrow(SandboxClosedError);
    await closing;
    for (const pid of pids) await untilGone(pid);
    await expect(pool.run('echo', 'late', patient)).rejects.toThrow(SandboxClosedError);
  });

  test('dies with its parent, busy or idle', async () => {
    const { path, execArgv } = entryPoint(kit, 'orphan-maker');
    const parent = fork(path, { execArgv, silent: true });
    const [message] = await once(parent, 'message');
    const pids = z.array(z.number()).parse(message);
    parent.kill('SIGKILL');
    for (const pid of pids) await untilGone(pid);
  });

  test('says what protects it', () => {
    expect(setup().describe()).toMatch(/^1 processes, 400 MB .*; replaced after 100 jobs$/);
  });
});
