import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/millrace.js', import.meta.url));

/** Processes that are started again when they die, as a supervisor would. */
export function startFleet(env: NodeJS.ProcessEnv) {
  const alive = new Map<ChildProcess, string[]>();
  let deaths = 0;
  let stopping = false;
  const start = (args: string[], extra: NodeJS.ProcessEnv = {}): void => {
    if (stopping) return;
    const child = spawn(process.execPath, [program, ...args], {
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
  const pick = (role: string, random: () => number): ChildProcess | undefined => {
    const candidates = [...alive].filter(([, args]) => args.includes(role)).map(([child]) => child);
    return candidates[Math.floor(random() * candidates.length)];
  };
  return {
    start,
    pick,
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
