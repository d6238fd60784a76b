import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { describeError } from '../../lib/describe-error.ts';
import { SECOND } from '../../lib/time.ts';
import { type Call, openClient, RetryableError } from '../client.ts';
import { configuration } from '../configuration.ts';
import { exitCodes } from '../exit.ts';
import { FileCount } from '../file-count.ts';
import {
  type FindOptions,
  type FoundFile,
  filesArgument,
  findFiles,
  followLinks,
  type SkippedFile,
} from '../files.ts';
import { note } from '../note.ts';
import { post } from '../request.ts';
import { retryFor } from '../retry-for.ts';
import { retrying } from '../retrying.ts';

const added = z.object({ id: z.string(), outcome: z.string() });
const imported = z.record(z.string(), z.number());

/** Concurrent uploads. */
const parallel = 4;

export function add(group: Command): void {
  group
    .command('add')
    .description('upload files and folders to a batch; repeating it adds nothing twice')
    .argument('<id>', 'batch id')
    .argument('<path...>', filesArgument)
    .option('--json', 'print one JSON object per file')
    .addOption(followLinks())
    .addOption(retryFor())
    .action(async (id: string, paths: string[], options: Options) => {
      process.exitCode = await addAll(id, paths, options);
    });

  group
    .command('import')
    .description("import objects from the workspace's inbox in the bucket")
    .argument('<id>', 'batch id')
    .argument('[prefix]', 'only objects below inbox/<workspace>/<prefix>', '')
    .action(async (id: string, prefix: string) => {
      const call = retrying(openClient(configuration()));
      const path = `/v1/batches/${encodeURIComponent(id)}/import`;
      const counts = imported.parse(await call(path, post({ prefix })));
      process.stdout.write(`${JSON.stringify(counts)}\n`);
    });
}

interface Options extends FindOptions {
  json?: boolean;
  retryFor: number;
}

async function addAll(
  id: string,
  paths: string[],
  { json, retryFor, followLinks }: Options,
): Promise<number> {
  const call = retrying(openClient(configuration()), retryFor * SECOND);
  const counts: Record<string, number> = {};
  const found = findFiles(paths, { followLinks });
  const files = new FileCount();
  const uploader = async () => {
    for await (const file of found) {
      const result = files.take(file)
        ? await addOne(call, id, file)
        : await recordLeftOut(call, id, 'skipped', file, file.skipped);
      counts[result.outcome] = (counts[result.outcome] ?? 0) + 1;
      if (json) process.stdout.write(`${JSON.stringify({ path: file.path, ...result })}\n`);
      else if (result.outcome === 'exception') note(`${file.path}: ${result.reason}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, uploader));
  files.finish(paths);
  if (!json) process.stdout.write(`${JSON.stringify(counts)}\n`);
  return counts.exception ? exitCodes.someFailed : exitCodes.ok;
}

interface Added {
  outcome: string;
  documentId?: string;
  reason?: string;
}

/** A file that cannot be sent is recorded as an exception, so that the batch still balances. */
async function addOne(call: Call, id: string, file: FoundFile): Promise<Added> {
  const { path, error } = file;
  try {
    if (error) throw new Error(error);
    const name = encodeURIComponent(file.name);
    const options = {
      method: 'POST',
      body: await openAsBlob(path),
      headers: { 'idempotency-key': await keyOfFile(id, path) },
    };
    const { id: documentId, outcome } = added.parse(
      await call(`${pathOf(id)}/documents?name=${name}`, options),
    );
    return { outcome, documentId };
  } catch (failure) {
    // Nothing is wrong with the file: the command ends, and repeating it adds what is missing.
    if (failure instanceof RetryableError) throw failure;
    return recordLeftOut(call, id, 'exception', file, describeError(failure));
  }
}

async function recordLeftOut(
  call: Call,
  id: string,
  kind: 'exception' | 'skipped',
  { path, name }: FoundFile | SkippedFile,
  reason: string,
): Promise<Added> {
  const once = { 'idempotency-key': hashOf(id, resolve(path), kind) };
  await call(`${pathOf(id)}/items`, post({ kind, name, reason }, once));
  return { outcome: kind, reason };
}

function pathOf(id: string): string {
  return `/v1/batches/${encodeURIComponent(id)}`;
}

/** An unchanged file always has the same key, so that a repeated upload adds nothing. */
async function keyOfFile(id: string, path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return hashOf(id, resolve(path), size, mtimeMs);
}

function hashOf(...parts: (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
