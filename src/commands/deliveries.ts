import type { Command } from 'commander';
import { z } from 'zod';
import { deliveryStatuses } from '../domain/delivery.ts';
import { keys } from '../lib/keys.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';

const view = z.looseObject({
  id: z.string(),
  status: z.string(),
  documentName: z.string(),
  destinationName: z.string(),
  externalId: z.string().nullable(),
  reason: z.string().nullable(),
});
const listing = z.object({ deliveries: z.array(view) });

interface Options {
  status?: string;
  document?: string;
  limit: string;
  json?: boolean;
}

export function deliveries(program: Command): void {
  program
    .command('deliveries')
    .description('show the latest deliveries of a running server')
    .option('--status <names>', `only these, separated by commas: ${keys(deliveryStatuses).join(', ')}`)
    .option('--document <id>', 'only those of a document')
    .option('--limit <count>', 'how many', '25')
    .option('--json', 'print one JSON object a delivery')
    .action(async ({ status, document, limit, json }: Options) => {
      const query = new URLSearchParams({
        limit,
        ...(status && { status }),
        ...(document && { documentId: document }),
      });
      const found = listing.parse(await openClient(configuration())(`/v1/deliveries?${query}`));
      for (const each of found.deliveries) process.stdout.write(`${json ? JSON.stringify(each) : line(each)}\n`);
      if (found.deliveries.length === 0 && !json) process.stdout.write('There are no such deliveries.\n');
    });
}

function line({ id, status, documentName, destinationName, externalId, reason }: z.infer<typeof view>): string {
  return [id, status, `${documentName} → ${destinationName}`, externalId && `as ${externalId}`, reason]
    .filter(Boolean)
    .join('  ');
}
