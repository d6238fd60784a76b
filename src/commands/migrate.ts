import type { Command } from 'commander';
import { migrate as migrateDatabase } from '../db/migrate.ts';
import { Closers } from '../lib/closers.ts';
import { openServices } from '../servers/index.ts';
import { openPostgres } from '../servers/postgres.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';

export function migrate(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to the schema of this version')
    .action(async () => {
      const closers = new Closers();
      try {
        const config = configuration();
        const services = await openServices(config, note, closers);
        const database = await openPostgres(services, {
          connections: 2,
          onError: () => undefined,
        });
        closers.add(() => database.close());
        const { applied, known } = await migrateDatabase(database.locks, services.ownerUrl);
        process.stdout.write(
          `${applied} of ${known} migrations applied; the database is up to date.\n`,
        );
      } finally {
        await closers.close();
      }
    });
}
