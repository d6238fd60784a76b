import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { openConnection } from '../client.ts';
import { configuration } from '../configuration.ts';

export function report(group: Command): void {
  group
    .command('report')
    .description('print the failures and the totals of a batch')
    .argument('<id>', 'batch id')
    .option('--csv', 'print CSV instead of JSON')
    .action(async (id: string, { csv }: { csv?: boolean }) => {
      const path = `/v1/batches/${encodeURIComponent(id)}/report?format=${csv ? 'csv' : 'json'}`;
      const { body } = await openConnection(configuration())(path);
      if (body) await pipeline(Readable.fromWeb(body), process.stdout, { end: false });
      if (!csv) process.stdout.write('\n');
    });
}
