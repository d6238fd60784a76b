import type { Command } from 'commander';
import { z } from 'zod';
import { batchStates } from '../../domain/batch.ts';
import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';
import { print } from '../print.ts';
import { batchView, line } from './view.ts';

const listing = z.object({ batches: z.array(batchView) });

export function list(group: Command): void {
  group
    .command('list')
    .description('list the most recent batches')
    .option('--state <state>', `only batches in this state: ${batchStates.join(', ')}`)
    .option('--json', 'print one JSON object per batch')
    .action(async ({ state, json }: { state?: string; json?: boolean }) => {
      const filter = state ? `&state=${encodeURIComponent(state)}` : '';
      const { batches } = listing.parse(
        await openClient(configuration())(`/v1/batches?limit=50${filter}`),
      );
      for (const batch of batches) print(json, batch, line(batch));
      if (batches.length === 0 && !json) process.stdout.write('No batches found.\n');
    });
}
