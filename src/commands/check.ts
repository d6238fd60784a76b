import type { Command } from 'commander';
import { checkInvariants, invariants } from '../engine/invariants.ts';
import { Closers } from '../lib/closers.ts';
import { keys } from '../lib/keys.ts';
import { joinServices } from '../servers/index.ts';
import { openPostgres } from '../servers/postgres.ts';
import { configuration } from './configuration.ts';
import { exitCodes } from './exit.ts';
import { note } from './note.ts';
import { print } from './print.ts';

export function check(program: Command): void {
  program
    .command('check')
    .description('verify that the database has no lost, duplicated or stuck documents')
    .option('--json', 'print one JSON object per broken invariant')
    .action(async ({ json }: { json?: boolean }) => {
      const closers = new Closers();
      try {
        const services = await joinServices(configuration(), note, closers);
        const database = await openPostgres(services, {
          connections: 2,
          onError: () => undefined,
        });
        closers.add(() => database.close());
        const violations = await checkInvariants(database.pool);
        for (const violation of violations) {
          const { invariant, claim, count, examples } = violation;
          const line = `BROKEN  ${invariant}: ${claim}. Violated ${count} times, e.g. ${examples.join(', ')}`;
          print(json, violation, line);
        }
        if (violations.length > 0) process.exitCode = exitCodes.someFailed;
        else if (!json) process.stdout.write(`All ${keys(invariants).length} invariants hold.\n`);
      } finally {
        await closers.close();
      }
    });
}
