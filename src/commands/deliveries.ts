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
    .description('list recent deliveries, or retry, resend or cancel one');
  command
    .option(
      '--status <names>',
      `only these statuses, comma-separated: ${keys(deliveryStatuses).join(', ')}`,
    )
    .option('--document <id>', 'only deliveries of this document')
    .option(
      '--outdated',
      'only deliveries whose document was processed again with a different result',
    )
    .option('--limit <count>', 'maximum number to show', wholeNumber, 25)
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
      if (found.deliveries.length === 0 && !json) process.stdout.write('No deliveries found.\n');
    });
  for (const [name, description] of Object.entries(actions)) {
    command
      .command(name)
      .description(description)
      .argument('<id>', 'delivery id')
      .action(async (id: string) => {
        const path = `/v1/deliveries/${encodeURIComponent(id)}/${name}`;
        const answer = view.parse(await openClient(configuration())(path, post({})));
        print(false, answer, line(answer));
      });
  }
}

const actions = {
  retry: 'retry a delivery that ended without success',
  resend: 'send a delivered document again, with the results of its latest run',
  cancel: 'cancel a delivery that is not submitted yet',
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
