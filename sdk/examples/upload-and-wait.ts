import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type Millrace, MillraceError } from '../src/index.ts';

/** Uploads a file, waits for the result, and returns the extracted values. */
export async function uploadAndWait(millrace: Millrace, path: string) {
  // A blob of a file is read while it is sent, and again if the upload has to be repeated.
  const { id } = await millrace.upload(await openAsBlob(path), { name: basename(path) });
  const { status, structuredData, needsReview, problems } = await millrace.waitFor(id);
  if (status !== 'completed') throw new Error(`${path} ${status}: ${problems[0]?.hint}`);
  return { id, structuredData, needsReview };
}

/** What a server says about a request that it refuses. */
export async function explainRefusal(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return `${error.code}: ${error.message} ${error.hint ?? ''}`.trim();
  }
}
