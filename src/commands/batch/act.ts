import type { Command } from 'commander';
import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';
import { dollarsOrNone } from '../dollars.ts';
import { print } from '../print.ts';
import { post } from '../request.ts';
import { retrying } from '../retrying.ts';
import { wholeNumber } from '../whole-number.ts';
import { batchView, line } from './view.ts';

const simple = {
  start: 'queue the batch; it runs when its turn comes',
  pause: 'start no more documents of the batch and let the next batch run',
  resume: 'resume a paused batch',
} as const;

interface Options {
  items?: number;
  partial?: boolean;
  json?: boolean;
}

/** Actions on a batch that take a single request. */
export function act(group: Command): void {
  for (const [action, description] of Object.entries(simple)) {
    command(group, action, description).action((id: string, options: Options) =>
      send(id, action, {}, options),
    );
  }
  command(group, 'finish', 'declare that the batch has all its documents')
    .option(
      '--items <number>',
      'expected number of items; the batch completes only if it matches',
      wholeNumber,
    )
    .action((id: string, options: Options) =>
      send(id, 'finish', { items: options.items }, options),
    );
  command(group, 'cancel', 'cancel the batch')
    .option('--partial', 'let documents in progress finish')
    .action((id: string, options: Options) =>
      send(id, 'cancel', { mode: options.partial ? 'partial' : 'full' }, options),
    );
  command(group, 'priority', 'change the priority of the batch; lower runs first')
    .argument('<priority>', '0 or more', wholeNumber)
    .action((id: string, priority: number, options: Options) =>
      send(id, undefined, { priority }, options),
    );
  command(
    group,
    'limit',
    'change the spending limit of the batch; held documents within it continue',
  )
    .argument('<dollars>', 'an amount such as 12.50, or none', dollarsOrNone)
    .action((id: string, maxCost: number | null, options: Options) =>
      send(id, undefined, { maxCost }, options),
    );
}

function command(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .argument('<id>', 'batch id')
    .option('--json', 'print the batch as one JSON object');
}

async function send(
  id: string,
  action: string | undefined,
  body: object,
  { json }: Options,
): Promise<void> {
  const path = `/v1/batches/${encodeURIComponent(id)}${action ? `/${action}` : ''}`;
  const request = { ...post(body), ...(!action && { method: 'PATCH' }) };
  const answer = await retrying(openClient(configuration()))(path, request);
  print(json, answer, line(batchView.parse(answer)));
}
