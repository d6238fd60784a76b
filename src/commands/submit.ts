import { openAsBlob } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { newId } from '../lib/ids.ts';
import { SECOND } from '../lib/time.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { exitCodes, explainError } from './exit.ts';
import { FileCount } from './file-count.ts';
import { type FindOptions, filesArgument, findFiles, followLinks } from './files.ts';
import { note } from './note.ts';
import { print } from './print.ts';
import { retryFor } from './retry-for.ts';
import { retrying } from './retrying.ts';

interface Options extends FindOptions {
  type?: string;
  json?: boolean;
  retryFor: number;
}

const submitted = z.object({ id: z.string() });

export function submit(program: Command): void {
  program
    .command('submit')
    .description('upload files and folders to a running server without waiting for results')
    .argument('<path...>', filesArgument)
    .option('--type <type>', 'document type; detected if not given')
    .option('--json', 'print one JSON object per document')
    .addOption(followLinks())
    .addOption(retryFor())
    .action(async (paths: string[], { type, json, retryFor, followLinks }: Options) => {
      const call = retrying(openClient(configuration()), retryFor * SECOND);
      const files = new FileCount();
      for await (const file of findFiles(paths, { followLinks })) {
        if (!files.take(file)) continue;
        const { path, name, error } = file;
        try {
          if (error) throw new Error(error);
          const query = new URLSearchParams({ name, ...(type && { type }) });
          const { id } = submitted.parse(
            await call(`/v1/documents?${query}`, {
              method: 'POST',
              body: await openAsBlob(path),
              // A repetition after a lost answer must not create a second document.
              headers: { 'idempotency-key': newId() },
            }),
          );
          print(json, { path, documentId: id }, `${id}  ${path}`);
        } catch (failure) {
          const { message, hint } = explainError(failure);
          note(`${path}: ${message}`);
          if (hint) note(`  ${hint}`);
          process.exitCode = exitCodes.someFailed;
        }
      }
      files.finish(paths);
    });
}
