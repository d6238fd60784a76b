import type { Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { exitCodes } from './exit.ts';
import { note } from './note.ts';
import { pointInTime } from './options.ts';
import { print } from './print.ts';
import { post } from './request.ts';

const made = z.object({ id: z.string(), secret: z.string() });
const view = z.looseObject({
  id: z.string(),
  url: z.string(),
  state: z.string(),
  types: z.array(z.string()).nullable(),
  disabledReason: z.string().nullable(),
});
const listing = z.object({ webhooks: z.array(view) });
const trial = z.object({ kind: z.string(), reason: z.string().optional() });
const replayed = z.object({ replayed: z.number() });

interface Options {
  types?: string;
  ordered?: boolean;
  json?: boolean;
  message?: string;
  from?: string;
  to?: string;
}

export function webhook(program: Command): void {
  const command = program
    .command('webhook')
    .description('manage webhooks: endpoints that receive events');
  const path = (id: string, action: string) => `/v1/webhooks/${encodeURIComponent(id)}/${action}`;

  command
    .command('add')
    .description('send events to an endpoint; prints its id and, only this once, its secret')
    .argument('<url>')
    .option('--types <names>', 'only these event types, comma-separated')
    .option('--ordered', 'send the events of a document in order, one at a time')
    .action(async (url: string, { types, ordered = false }: Options) => {
      const body = { url, ordered, ...(types && { types: types.split(',') }) };
      const { id, secret } = made.parse(
        await openClient(configuration())('/v1/webhooks', post(body)),
      );
      note('Store the secret: it is not shown again.');
      process.stdout.write(`${id}  ${secret}\n`);
    });

  command
    .command('list')
    .description('list all endpoints')
    .option('--json', 'print one JSON object per endpoint')
    .action(async ({ json }: Options) => {
      const { webhooks } = listing.parse(
        await openClient(configuration())('/v1/webhooks?limit=100'),
      );
      for (const each of webhooks) {
        const { id, url, state, types, disabledReason } = each;
        const line = [id, url, state, types?.join(',') ?? 'all events', disabledReason]
          .filter(Boolean)
          .join('  ');
        print(json, each, line);
      }
    });

  command
    .command('test')
    .description('send a test message to an endpoint, and explain the result')
    .argument('<id>', 'webhook id')
    .action(async (id: string) => {
      const tried = trial.parse(await openClient(configuration())(path(id, 'test'), post({})));
      const { kind, reason } = tried;
      print(false, tried, `${kind}${reason ? `: ${reason}` : ''}`);
      if (kind !== 'delivered') process.exitCode = exitCodes.someFailed;
    });

  command
    .command('replay')
    .description('send one message again, or all events of a time range')
    .argument('<id>', 'webhook id')
    .option('--message <id>', 'id of the message')
    .option('--from <time>', 'start of the time range, such as 2026-01-31T08:00:00Z', pointInTime)
    .option('--to <time>', 'end of the time range; now if not given', pointInTime)
    .action(async (id: string, { message, from, to }: Options) => {
      if (!message && !from)
        throw new UsageError('Specify what to send again.', 'Use --message or --from.');
      const body = message ? { messageId: message } : { from, ...(to && { to }) };
      const answer = replayed.parse(
        await openClient(configuration())(path(id, 'replay'), post(body)),
      );
      process.stdout.write(`${answer.replayed} to be sent again\n`);
    });
}
