import type { Command } from 'commander';
import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';
import { dollarsOrNone } from '../dollars.ts';
import { print } from '../print.ts';
import { post } from '../request.ts';
import { whenReady } from '../when-ready.ts';
import { wholeNumber } from '../whole-number.ts';
import { batchView, line } from './view.ts';

const simple = {
  start: 'let it run when its turn comes',
  pause: 'start no more of its documents and let the next batch pass',
  resume: 'go on with a paused batch',
} as const;

interface Options {
  items?: number;
  partial?: boolean;
  json?: boolean;
}

/** What is done with a batch in one request. */
export function act(group: Command): void {
  for (const [action, description] of Object.entries(simple)) {
    command(group, action, description).action((id: string, options: Options) =>
      send(id, action, {}, options),
    );
  }
  command(group, 'finish', 'say that no more documents will come')
    .option(
      '--items <number>',
      'how many there were; the batch stays open while the sum is off',
      wholeNumber,
    )
    .action((id: string, options: Options) =>
      send(id, 'finish', { items: options.items }, options),
    );
  command(group, 'cancel', 'stop it')
    .option('--partial', 'let documents under way end')
    .action((id: string, options: Options) =>
      send(id, 'cancel', { mode: options.partial ? 'partial' : 'full' }, options),
    );
  command(group, 'priority', 'let it go before or after others; lower goes first')
    .argument('<priority>', 'from 0', wholeNumber)
    .action((id: string, priority: number, options: Options) =>
      send(id, undefined, { priority }, options),
    );
  command(group, 'limit', 'change what its documents may cost; those that were held go on')
    .argument('<dollars>', 'such as 12.50, or none', dollarsOrNone)
    .action((id: string, maxCost: number | null, options: Options) =>
      send(id, undefined, { maxCost }, options),
    );
}

function command(group: Command, name: string, description: string): Command {
  return group
    .command(name)
    .description(description)
    .argument('<id>', 'of the batch')
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
  const answer = await whenReady(openClient(configuration()), path, request);
  print(json, answer, line(batchView.parse(answer)));
}
