import type { Command } from 'commander';
import { z } from 'zod';
import { deliveryStatuses } from '../domain/delivery.ts';
import { keys } from '../lib/keys.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { print } from './print.ts';
import { post } from './request.ts';
import { wholeNumber } from './whole-number.ts';

const view = z.looseObject({
  id: z.string(),
  status: z.string(),
  documentName: z.string(),
  destinationName: z.string(),
  externalId: z.string().nullable(),
  outdated: z.boolean(),
  reason: z.string().nullable(),
});
const listing = z.object({ deliveries: z.array(view) });

interface Options {
  status?: string;
  document?: string;
  outdated?: boolean;
  limit: number;
  json?: boolean;
}

export function deliveries(program: Command): void {
  const command = program
    .command('deliveries')
    .description('show the latest deliveries of a running server');
  command
    .option(
      '--status <names>',
      `only these, separated by commas: ${keys(deliveryStatuses).join(', ')}`,
    )
    .option('--document <id>', 'only those of a document')
    .option(
      '--outdated',
      'only those whose document was processed again since, with another result',
    )
    .option('--limit <count>', 'how many', wholeNumber, 25)
    .option('--json', 'print one JSON object per delivery')
    .action(async ({ status, document, outdated, limit, json }: Options) => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(status && { status }),
        ...(document && { documentId: document }),
        ...(outdated && { outdated: 'true' }),
      });
      const found = listing.parse(await openClient(configuration())(`/v1/deliveries?${query}`));
      for (const each of found.deliveries) print(json, each, line(each));
      if (found.deliveries.length === 0 && !json)
        process.stdout.write('There are no such deliveries.\n');
    });
  for (const [name, description] of Object.entries(actions)) {
    command
      .command(name)
      .description(description)
      .argument('<id>', 'of the delivery')
      .action(async (id: string) => {
        const path = `/v1/deliveries/${encodeURIComponent(id)}/${name}`;
        const answer = view.parse(await openClient(configuration())(path, post({})));
        print(false, answer, line(answer));
      });
  }
}

const actions = {
  retry: 'try one again that ended without success',
  resend: 'hand a document over again that the manager holds, with what the latest run found',
  cancel: 'call one back while that is possible',
} as const;

function line({
  id,
  status,
  documentName,
  destinationName,
  externalId,
  outdated,
  reason,
}: z.infer<typeof view>): string {
  return [
    id,
    status,
    `${documentName} → ${destinationName}`,
    externalId && `as ${externalId}`,
    outdated && 'outdated',
    reason,
  ]
    .filter(Boolean)
    .join('  ');
}
