import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { hostile } from '../../test/kit/hostile-child.ts';
import { untilGone } from '../../test/kit/processes.ts';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { PermanentError } from '../errors.ts';
import { entryPoint } from '../lib/entry-point.ts';
import { RunClock } from '../lib/run-clock.ts';
import {
  SandboxClosedError,
  SandboxCpuError,
  SandboxCrashError,
  SandboxTimeoutError,
} from './errors.ts';
import { findLauncher } from './launcher.ts';
import { Pool, type PoolOptions } from './pool.ts';

const kit = new URL('../../test/kit/x.ts', import.meta.url).href;
const patient = { timeoutMs: 60_000 };
const opened: Pool<typeof hostile>[] = [];

function setup(options: Partial<PoolOptions> = {}) {
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

  describe('does not use a process again', () => {
    const pidFor = (pool: ReturnType<typeof setup>, key: string) =>
      pool.run('pid', undefined, { ...patient, key });

    test('for another key', async () => {
      const pool = setup();
      const first = await pidFor(pool, 'a');
      expect(await pidFor(pool, 'a')).toBe(first);
      const second = await pidFor(pool, 'b');
      expect(second).not.toBe(first);
      expect(await pidFor(pool, 'b')).toBe(second);
      const third = await pidFor(pool, 'c');
      expect([first, second]).not.toContain(third);
      // The pool keeps two, so the oldest had to go.
      await untilGone(first);
    });

    test('after an unexpected failure, but after that of a damaged file', async () => {
      const pool = setup();
      const first = await pidFor(pool, 'a');
      await expect(pool.run('refuse', undefined, { ...patient, key: 'a' })).rejects.toThrow();
      expect(await pidFor(pool, 'a')).toBe(first);
      await expect(pool.run('fail', undefined, { ...patient, key: 'a' })).rejects.toThrow();
      expect(await pidFor(pool, 'a')).not.toBe(first);
    });
  });

  test('prepares a process ahead where keys alternate, without a document', async () => {
    const pool = setup({ warmUp: () => ({ operation: 'wait', input: 1 }) });
    const echoFor = (key: string) => pool.run('echo', key, { ...patient, key });
    for (const key of ['a', 'b', 'c', 'a', 'b']) expect(await echoFor(key)).toBe(key);
  });

  test('a process that fills the memory of WebAssembly fails its own job', async () => {
    const pool = setup({ memoryMb: 256 });
    await expect(pool.run('webAssembly', 16_384, patient)).rejects.toMatchObject({
      message: expect.stringMatching(/memory/i),
    });
    expect(await pool.run('echo', 'next', patient)).toBe('next');
  });

  describe.skipIf(!findLauncher().limitsResources)('where prlimit is installed', () => {
    test('writes no file larger than it may', async () => {
      const path = join(await temporaryDirectory(), 'large');
      const pool = setup({ fileMb: 1 });
      expect(await pool.run('write', { path, bytes: 2 ** 20 }, patient)).toBeUndefined();
      expect(await pool.run('write', { path, bytes: 2 ** 20 + 1 }, patient)).toMatch(/EFBIG/);
    });

    test('has limits on CPU time and address space', async () => {
      const limits = await setup().run('read', '/proc/self/limits', patient);
      expect(limits).toMatch(/Max cpu time +21600 /);
      expect(limits).toMatch(/Max address space +274877906944 /);
      expect(limits).toMatch(/Max core file size +0 /);
    });
  });

  test.skipIf(!findLauncher().dropsRights)('can gain no rights', async () => {
    expect(await setup().run('read', '/proc/self/status', patient)).toMatch(/NoNewPrivs:\s+1\n/);
  });

  describe.skipIf(!findLauncher().isolates)('where namespaces are allowed', () => {
    test('has no network', async () => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = z.object({ port: z.number() }).parse(server.address());
      expect(await setup().run('connect', port, patient)).toMatch(/ENETUNREACH|EADDRNOTAVAIL/);
    });

    test('reads no hidden file, and no memory of its parent', async () => {
      const directory = await temporaryDirectory();
      const [inside, file] = [join(directory, 'data', 'secret'), join(directory, 'file')];
      await mkdir(join(directory, 'data'));
      for (const path of [inside, file]) await writeFile(path, 'secret');
      const pool = setup({ hidden: [join(directory, 'data'), file, join(directory, 'absent')] });
      expect(await pool.run('read', inside, patient)).toMatch(/EACCES|ENOENT/);
      expect(await pool.run('read', file, patient)).toBe('');
      const environ = await pool.run('read', `/proc/${process.pid}/environ`, patient);
      expect(environ).toMatch(/EACCES|EPERM/);
      expect(await pool.run('read', '/proc/self/status', patient)).toMatch(/CapEff:\s+0+\n/);
    });
  });
});
