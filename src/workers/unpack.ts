import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { unpackedEntry, unpackLimits } from '../content/container.ts';
import { isContainer } from '../content/index.ts';
import { countContents, readFamily, saveContents } from '../db/containers.ts';
import { difference } from '../domain/batch-ledger.ts';
import { complete, reject } from '../engine/pipeline/outcome.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import { takeEntriesIn } from '../intake/container/take-in.ts';
import { failpoint } from '../lib/test-hooks.ts';
import { MINUTE } from '../lib/time.ts';
import { download } from '../storage/download.ts';

/** Entries admitted per transaction. */
const atOnce = 100;

/** Unpacks a container in a child process: every entry becomes a document or a recorded item. */
export const unpack = defineStage({
  concurrency: 2,
  timeoutMs: 15 * MINUTE,
  sandboxed: true,
  async run(document, context) {
    const { database, storage, signal, workDirectory, inSandbox } = context;
    const { mediaType } = document;
    if (mediaType === null || !isContainer(mediaType))
      throw new Error(`${document.name} is not a container but ${mediaType}`);
    const family = await readFamily(database.db, document.id);
    if (family.depth >= unpackLimits.depth)
      return reject(
        'CONTAINER_TOO_LARGE',
        `${document.name} is nested ${family.depth} levels deep`,
      );
    const path = join(await workDirectory(), 'container');
    const directory = join(await workDirectory(), 'entries');
    await mkdir(directory);
    await download(storage, document.storageKey, path, { signal, sha256: document.sha256 });
    const { entries: most, bytes, ratio } = unpackLimits;
    const limits = { entries: most - family.entries, bytes: bytes - family.bytes, ratio };
    const unpacked = await inSandbox('content.unpack', { path, mediaType, directory, limits });
    // The child has worked on untrusted bytes, so its reply is validated.
    const entries = z.array(unpackedEntry).parse(unpacked);
    failpoint('unpack', 'unpacked', document.name);
    for (let from = 0; from < entries.length; from += atOnce)
      await takeEntriesIn(context, { document, family }, entries.slice(from, from + atOnce));
    failpoint('unpack', 'admitted', document.name);
    const contents = await countContents(database.db, document.id, entries.length);
    if (difference(contents) !== 0)
      throw new Error(
        `${document.name} has ${entries.length} entries, but ${difference(contents)} are unaccounted for`,
      );
    return complete('unpacked', (tx) => saveContents(tx, document.id, contents));
  },
});
