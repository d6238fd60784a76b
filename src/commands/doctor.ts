import type { Command } from 'commander';
import type { Check } from '../checks/check.ts';
import { type EnvName, env, isDuration, isSecret } from '../config/env/index.ts';
import type { Config } from '../config/index.ts';
import { Closers } from '../lib/closers.ts';
import { keys } from '../lib/keys.ts';
import { formatDuration } from '../lib/time.ts';
import { configuration } from './configuration.ts';
import { exitCodes, explainError } from './exit.ts';
import { note } from './note.ts';

interface Result {
  name: string;
  status: 'ok' | 'doubtful' | 'failed' | 'skipped';
  found: string;
  fix?: string | undefined;
}

const marks = {
  ok: 'ok     ',
  doubtful: 'warning',
  failed: 'FAILED ',
  skipped: 'skipped',
} satisfies Record<Result['status'], string>;

export function doctor(program: Command): void {
  program
    .command('doctor')
    .description('show the active configuration and check everything Millrace depends on')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 no check failed (there may be warnings), 1 a check failed.',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const config = configuration();
      if (!json) process.stdout.write(`Configuration\n${settings(config)}\nChecks\n`);
      const results = await examine(config, (result) => {
        if (!json) process.stdout.write(formatResult(result));
      });
      const healthy = results.every(({ status }) => status !== 'failed');
      if (json) process.stdout.write(`${JSON.stringify({ healthy, checks: results })}\n`);
      process.exitCode = healthy ? exitCodes.ok : exitCodes.internal;
    });
}

function settings(config: Config): string {
  const longest = Math.max(...keys(env.shape).map((name) => name.length));
  return keys(env.shape)
    .map(
      (name) =>
        `  ${name.padEnd(longest)}  ${formatValue(config, name)}  (${config.sources[name] ?? 'default'})\n`,
    )
    .join('');
}

function formatValue(config: Config, name: EnvName): string {
  const value = config[name];
  if (value === undefined) return '–';
  if (isSecret(name)) return '********';
  return typeof value === 'number' && isDuration(name) ? formatDuration(value) : String(value);
}

function formatResult({ name, status, found, fix }: Result): string {
  return `  ${marks[status]}  ${name}: ${found}\n${fix === undefined ? '' : `           ${fix}\n`}`;
}

/** Runs every check, even if others fail. */
async function examine(config: Config, onResult: (result: Result) => void): Promise<Result[]> {
  const closers = new Closers();
  const results: Result[] = [];
  const failures = new Map<unknown, string>();
  try {
    const { checks } = await import('../checks/index.ts');
    for (const check of checks(config, closers, note)) {
      const result = await runCheck(check, failures);
      results.push(result);
      onResult(result);
    }
  } finally {
    await closers.close();
  }
  return results;
}

/** A failure that other checks depend on is reported once, by the first one. */
async function runCheck({ name, run }: Check, failures: Map<unknown, string>): Promise<Result> {
  try {
    const { found, fix } = await run();
    return { name, status: fix === undefined ? 'ok' : 'doubtful', found, fix };
  } catch (error) {
    const cause = failures.get(error);
    if (cause !== undefined)
      return { name, status: 'skipped', found: `not checked, because "${cause}" failed` };
    failures.set(error, name);
    const { message, hint } = explainError(error);
    return {
      name,
      status: 'failed',
      found: message,
      fix: hint ?? 'Set LOG_LEVEL=debug for details.',
    };
  }
}
