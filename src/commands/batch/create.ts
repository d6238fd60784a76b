import type { Command } from 'commander';
import { batchTypes } from '../../domain/batch.ts';
import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';
import { dollarsOrNone } from '../dollars.ts';
import { print } from '../print.ts';
import { post } from '../request.ts';
import { wholeNumber } from '../whole-number.ts';
import { batchView } from './view.ts';

interface Options {
  type?: string;
  priority?: number;
  maxRedrives?: number;
  documentType?: string;
  maxCost?: number | null;
  workspace?: string;
  json?: boolean;
}

export function create(group: Command): void {
  group
    .command('create')
    .description('make a batch and print its id')
    .argument('<name>')
    .option('--type <type>', `what is imported: ${batchTypes.join(', ')}`)
    .option('--priority <number>', 'lower goes first', wholeNumber)
    .option('--max-redrives <number>', 'passes over its dead letters', wholeNumber)
    .option('--document-type <type>', 'what all its documents are; chosen for each when absent')
    .option('--max-cost <dollars>', 'what its documents may cost; more are held', dollarsOrNone)
    .option('--workspace <id>', 'where it belongs, for keys that see several')
    .option('--json', 'print the batch as one JSON object')
    .action(async (name: string, { workspace, json, ...options }: Options) => {
      const body = { name, ...options, workspaceId: workspace };
      const made = await openClient(configuration())('/v1/batches', post(body));
      print(json, made, batchView.parse(made).id);
    });
}
