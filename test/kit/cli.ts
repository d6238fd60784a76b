import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/millrace.js', import.meta.url));

/** Node options that make a process run mock documents and obey failpoints. */
export const withHooks = ['--import', new URL('./hooks.mjs', import.meta.url).href];

/** Starts the built command line as a user would, with only the given environment. */
export function startCli(
  args: string[],
  env: Record<string, string> = {},
  of = program,
  execArgv: string[] = [],
) {
  const child = spawn(process.execPath, [...execArgv, of, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = text(child.stdout);
  const stderr = text(child.stderr);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return { child, stdout, stderr, exited };
}

export async function runCli(args: string[], env: Record<string, string> = {}, of = program) {
  const { stdout, stderr, exited } = startCli(args, env, of);
  return { code: await exited, stdout: await stdout, stderr: await stderr };
}
