import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { openConnection } from './client.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';

interface Options {
  format: string;
  type?: string;
  batch?: string;
  needsReview?: boolean;
  workspace?: string;
  output?: string;
}

export function exportData(program: Command): void {
  program
    .command('export')
    .description('write the extracted data of completed documents, newest first')
    .addOption(
      new Option('--format <format>', 'one row per line item, or one object per document')
        .choices(['csv', 'jsonl'])
        .default('jsonl'),
    )
    .option('--type <type>', 'only this document type; required for CSV')
    .option('--batch <id>', 'only this batch')
    .option('--needs-review', 'only documents whose values are in doubt')
    .option('--no-needs-review', 'only documents whose values are not in doubt')
    .option('--workspace <id>', 'workspace id, for keys that are not bound to one')
    .option('--output <file>', 'write to this file instead of stdout')
    .action(async ({ output, ...options }: Options) => {
      const { body } = await openConnection(configuration())(
        `/v1/documents/export?${query(options)}`,
      );
      if (!body) return;
      const data = Readable.fromWeb(body);
      if (output === undefined) return pipeline(data, process.stdout, { end: false });
      // A broken connection must not leave a file that looks complete.
      const partial = `${output}.part`;
      await pipeline(data, createWriteStream(partial));
      await rename(partial, output);
      note(`Written to ${output}`);
    });
}

function query({ format, type, batch, needsReview, workspace }: Omit<Options, 'output'>) {
  return new URLSearchParams({
    format,
    ...(type !== undefined && { type }),
    ...(batch !== undefined && { batchId: batch }),
    ...(needsReview !== undefined && { needsReview: String(needsReview) }),
    ...(workspace !== undefined && { workspaceId: workspace }),
  });
}
