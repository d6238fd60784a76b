import type { Command } from 'commander';
import { type EnvName, env, isSecret } from '../config/env.ts';
import type { Config } from '../config/index.ts';
import { SetupError } from '../errors.ts';
import { Closers } from '../lib/closers.ts';
import { describeError } from '../lib/describe-error.ts';
import { keys } from '../lib/keys.ts';
import { configuration } from './configuration.ts';
import { exitCodes } from './exit.ts';
import { note } from './note.ts';

export function doctor(program: Command): void {
  program
    .command('doctor')
    .description('show the configuration in force and check everything Millrace depends on')
    .action(async () => {
      const config = configuration();
      process.stdout.write(`Configuration\n${settings(config)}\nChecks\n`);
      process.exitCode = (await examine(config)) ? exitCodes.ok : exitCodes.internal;
    });
}

function settings(config: Config): string {
  const longest = Math.max(...keys(env.shape).map((name) => name.length));
  return keys(env.shape)
    .map((name) => `  ${name.padEnd(longest)}  ${shown(config, name)}  (${config.sources[name] ?? 'default'})\n`)
    .join('');
}

function shown(config: Config, name: EnvName): string {
  const value = config[name];
  if (value === undefined) return '–';
  return isSecret(name) ? '********' : String(value);
}

/** Every check runs, whatever the others say. */
async function examine(config: Config): Promise<boolean> {
  const closers = new Closers();
  let healthy = true;
  try {
    const { checks } = await import('../checks.ts');
    for (const { name, run } of checks(config, closers, note)) {
      try {
        process.stdout.write(`  ok    ${name}: ${await run()}\n`);
      } catch (error) {
        healthy = false;
        process.stdout.write(`  FAIL  ${name}: ${describeError(error)}\n`);
        if (error instanceof SetupError) process.stdout.write(`        ${error.hint}\n`);
      }
    }
  } finally {
    await closers.close();
  }
  return healthy;
}
