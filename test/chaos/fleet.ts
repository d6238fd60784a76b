import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withHooks } from '../kit/cli.ts';
import { pick, type Random } from './random.ts';

const program = fileURLToPath(new URL('../../bin/millrace.js', import.meta.url));

const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** If libfaketime is installed, some workers have clocks ten minutes ahead, and some behind. */
export const clocks: NodeJS.ProcessEnv[] = existsSync(fakeTime)
  ? [{ LD_PRELOAD: fakeTime, FAKETIME: '+10m' }, { LD_PRELOAD: fakeTime, FAKETIME: '-10m' }, {}]
  : [{}];

/** Restarts processes that die, as a supervisor would. */
export function startFleet(env: NodeJS.ProcessEnv) {
  const alive = new Map<ChildProcess, string[]>();
  let deaths = 0;
  let stopping = false;
  const start = (args: string[], extra: NodeJS.ProcessEnv = {}): void => {
    if (stopping) return;
    const child = spawn(process.execPath, [...withHooks, program, ...args], {
      env: { ...env, ...extra },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    alive.set(child, args);
    child.once('exit', () => {
      alive.delete(child);
      if (stopping) return;
      deaths += 1;
      start(args, extra);
    });
  };
  const all = (role: string): ChildProcess[] =>
    [...alive].filter(([, args]) => args.includes(role)).map(([child]) => child);
  return {
    start,
    all,
    pick: (role: string, random: Random): ChildProcess | undefined => pick(all(role), random),
    get deaths() {
      return deaths;
    },
    async stop() {
      stopping = true;
      await Promise.all(
        [...alive.keys()].map(async (child) => {
          const exited = once(child, 'exit');
          child.kill('SIGCONT');
          child.kill('SIGKILL');
          await exited;
        }),
      );
    },
  };
}
