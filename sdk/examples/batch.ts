import { openAsBlob } from 'node:fs';
import type { Millrace } from '../src/index.ts';

export interface NamedFile {
  /** Where to read it. */
  path: string;
  /** Its name in the batch, with folders. */
  name: string;
}

/** Imports files as one batch, and returns its report when all of them have ended. */
export async function importFiles(millrace: Millrace, name: string, files: readonly NamedFile[]) {
  const { id } = await millrace.call('createBatch', { body: { name, type: 'FILES' } });
  await millrace.call('startBatch', { path: { id } });
  for (const file of files) {
    await millrace.upload(await openAsBlob(file.path), { name: file.name, batchId: id });
  }
  await millrace.call('finishBatch', { path: { id }, body: { items: files.length } });
  await millrace.waitForBatch(id);
  return millrace.call('getBatchReport', { path: { id } });
}
