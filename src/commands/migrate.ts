import type { Command } from 'commander';
import { openDatabase } from '../db/index.ts';
import { migrate as migrateDatabase } from '../db/migrate.ts';
import { Closers } from '../lib/closers.ts';
import { openServices } from '../servers/index.ts';
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
        const { databaseUrl } = await openServices(config, note, closers);
        const database = openDatabase({
          url: databaseUrl,
          connections: 2,
          onError: () => undefined,
        });
        closers.add(() => database.close());
        const { applied, known } = await migrateDatabase(database.pool);
        process.stdout.write(
          `${applied} of ${known} migrations applied; the database is up to date.\n`,
        );
      } finally {
        await closers.close();
      }
    });
}
