import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { newId } from '../lib/ids.ts';
import { SECOND } from '../lib/time.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { exitCodes, explainError } from './exit.ts';
import { findFiles } from './files.ts';
import { note } from './note.ts';
import { print } from './print.ts';
import { retryFor } from './retry-for.ts';
import { retrying } from './retrying.ts';

interface Options {
  type?: string;
  json?: boolean;
  retryFor: number;
}

const submitted = z.object({ id: z.string() });

export function submit(program: Command): void {
  program
    .command('submit')
    .description('upload files and folders to a running server without waiting for results')
    .argument('<path...>', 'files and folders (hidden files are skipped)')
    .option('--type <type>', 'document type; detected if not given')
    .option('--json', 'print one JSON object per document')
    .addOption(retryFor())
    .action(async (paths: string[], { type, json, retryFor }: Options) => {
      const call = retrying(openClient(configuration()), retryFor * SECOND);
      for await (const { path, error } of findFiles(paths)) {
        try {
          if (error) throw new Error(error);
          const query = new URLSearchParams({ name: basename(path), ...(type && { type }) });
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
    });
}
