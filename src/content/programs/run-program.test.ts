import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { untilGone } from '../../../test/kit/processes.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { runProgram } from './run-program.ts';

const usual = { timeoutMs: 60_000, maxBytes: 2 ** 20 };
const run = async (script: string, limits: Partial<typeof usual> = {}) => {
  const directory = await temporaryDirectory();
  const end = await runProgram('/bin/sh', ['-c', script], { directory, ...usual, ...limits });
  return { ...end, directory };
};

describe.skipIf(!existsSync('/bin/sh'))('a program', () => {
  test('ends with its code and what it printed', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({
      code: 3,
      output: expect.stringMatching(/out\nerr|err\nout/),
      stopped: undefined,
    });
  });

  test('has no variables of ours', async () => {
    process.env.TEST_SECRET = 'secret';
    const { output } = await run('env');
    delete process.env.TEST_SECRET;
    expect(output).not.toContain('secret');
  });

  test('is killed at its deadline, with the processes that it started', async () => {
    const script = 'sleep 600 & echo $! > pid; wait';
    const { stopped, code, directory } = await run(script, { timeoutMs: 300 });
    expect({ stopped, code }).toEqual({ stopped: 'it did not finish within 0.3 s', code: null });
    await untilGone(Number(readFileSync(join(directory, 'pid'), 'utf8')));
  });

  test('is killed when it writes too much', async () => {
    const { stopped } = await run('head -c 3000000 /dev/zero > big; sleep 600');
    expect(stopped).toBe('it wrote more than 1048576 bytes');
  });

  test('leaves no process behind', async () => {
    const { directory } = await run('sleep 600 & echo $! > pid');
    await untilGone(Number(readFileSync(join(directory, 'pid'), 'utf8')));
  });

  test('that does not exist is an error', async () => {
    const directory = await temporaryDirectory();
    await expect(runProgram('/nowhere/none', [], { directory, ...usual })).resolves.toMatchObject({
      code: expect.any(Number),
    });
  });
});
