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
  ocr?: boolean;
  maxCost?: number | null;
  workspace?: string;
  json?: boolean;
}

export function create(group: Command): void {
  group
    .command('create')
    .description('create a batch and print its id')
    .argument('<name>')
    .option('--type <type>', `kind of import: ${batchTypes.join(', ')}`)
    .option('--priority <number>', 'lower runs first', wholeNumber)
    .option(
      '--max-redrives <number>',
      'maximum number of automatic replays of its dead letters',
      wholeNumber,
    )
    .option('--document-type <type>', 'type of all its documents; detected for each if not given')
    .option('--no-ocr', 'read its documents without OCR, by the text stored in the files only')
    .option(
      '--max-cost <dollars>',
      'spending limit, or none; documents beyond it are held',
      dollarsOrNone,
    )
    .option('--workspace <id>', 'workspace of the batch, for keys with access to several')
    .option('--json', 'print the batch as one JSON object')
    .action(async (name: string, { workspace, json, ocr, ...options }: Options) => {
      const noOcr = ocr === false ? { noOcr: true } : {};
      const body = { name, ...options, ...noOcr, workspaceId: workspace };
      const made = await openClient(configuration())('/v1/batches', post(body));
      print(json, made, batchView.parse(made).id);
    });
}
