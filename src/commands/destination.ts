import type { Command } from 'commander';
import { z } from 'zod';
import { kinds } from '../destinations/index.ts';
import { keys } from '../lib/keys.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { exitCodes } from './exit.ts';
import { print } from './print.ts';
import { pairs, post } from './request.ts';
import { wholeNumber } from './whole-number.ts';

const made = z.object({ id: z.string() });
const view = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
});
const listing = z.object({ destinations: z.array(view) });
const trial = z.object({ works: z.boolean(), explanation: z.string() });

interface Options {
  secret?: string[];
  hold?: number;
  maxConcurrent?: number;
  deliverDoubtful?: boolean;
  json?: boolean;
}

export function destination(program: Command): void {
  const command = program
    .command('destination')
    .description('manage destinations: document managers that documents are delivered to');

  command
    .command('add')
    .description('deliver every completed document to a document manager')
    .argument('<kind>', keys(kinds).join(', '))
    .argument('<name>', 'name of the destination')
    .argument('<setting...>', 'name=value, such as url=https://dms.example.com')
    .option('--secret <pair...>', 'name=value, such as token=…; stored encrypted and never shown')
    .option('--hold <seconds>', 'delay deliveries by this many seconds', wholeNumber)
    .option('--deliver-doubtful', 'deliver documents that need a review without waiting for it')
    .option('--max-concurrent <count>', 'maximum number of concurrent deliveries', wholeNumber)
    .action(
      async (
        kind: string,
        name: string,
        settings: string[],
        { secret, hold, maxConcurrent, deliverDoubtful }: Options,
      ) => {
        const call = openClient(configuration());
        const body = {
          kind,
          name,
          settings: pairs(settings),
          ...(secret && { secret: pairs(secret) }),
          holdSeconds: hold,
          maxConcurrent,
          deliverDoubtful,
        };
        process.stdout.write(`${made.parse(await call('/v1/destinations', post(body))).id}\n`);
      },
    );

  command
    .command('list')
    .description('list all destinations')
    .option('--json', 'print one JSON object per destination')
    .action(async ({ json }: Options) => {
      const { destinations } = listing.parse(
        await openClient(configuration())('/v1/destinations?limit=100'),
      );
      for (const each of destinations) {
        print(json, each, [each.id, each.kind, each.name, each.enabled ? 'on' : 'off'].join('  '));
      }
    });

  command
    .command('test')
    .description('make one real call that changes nothing, and explain the result')
    .argument('<id>', 'destination id')
    .action(async (id: string) => {
      const call = openClient(configuration());
      const tried = trial.parse(
        await call(`/v1/destinations/${encodeURIComponent(id)}/test`, post({})),
      );
      const { works, explanation } = tried;
      print(false, tried, `${works ? 'works' : 'does not work'}: ${explanation}`);
      if (!works) process.exitCode = exitCodes.someFailed;
    });
}
