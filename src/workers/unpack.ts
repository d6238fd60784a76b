import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackInput } from '../content/format.ts';
import { isContainer, isReadable } from '../content/index.ts';
import { reportProgress } from '../content/unpack/backlog.ts';
import { followJournal } from '../content/unpack/follow.ts';
import { type HandedOver, restName } from '../content/unpack/hand-over.ts';
import { countContents, countTaken, readFamily, saveContents } from '../db/containers.ts';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { difference } from '../domain/batch-ledger.ts';
import { complete, done, reject, snooze } from '../engine/pipeline/outcome.ts';
import { defineStage, type StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { type Container, forgetExceptions } from '../intake/container/admit-entries.ts';
import { takeEntriesIn } from '../intake/container/take-in.ts';
import { failpoint } from '../lib/test-hooks.ts';
import { MINUTE } from '../lib/time.ts';
import { fetchContainer } from './fetch-container.ts';
import { isLocked, tryPasswords } from './try-passwords.ts';

/** Entries admitted per transaction. */
const atOnce = 100;

/**
 * Unpacks a container in a child process: every entry becomes a document or a recorded item, while
 * the container is still being read. A later attempt continues behind the entries already taken.
 */
export const unpack = defineStage({
  concurrency: 2,
  timeoutMs: 15 * MINUTE,
  lanes: { large: { concurrency: 1, timeoutMs: 60 * MINUTE }, degrade: giveUpRest },
  sandboxed: true,
  run: unpackContainer,
});

async function unpackContainer(
  document: StageDocument,
  context: StageContext,
  how: Pick<UnpackInput, 'preferSecond'> = {},
) {
  const { database, settings } = context;
  const { mediaType } = document;
  if (mediaType === null || !isContainer(mediaType))
    throw new Error(`${document.name} is not a container but ${mediaType}`);
  const family = await readFamily(database.db, document.id);
  if (family.depth >= settings.unpack.depth) return tooDeep(document, context, family);
  await database.db.transaction((tx) => forgetExceptions(tx, document));
  const source = await fetchContainer(document, context);
  if ('kind' in source) return source;
  const handed = await takeContents(
    { document, family },
    { mediaType, ...source, ...how },
    context,
  );
  const { seen, finished } = handed;
  if (!finished) return snooze(0, `${seen} entries of ${document.name} are unpacked so far`);
  failpoint('unpack', 'admitted', document.name);
  return account(document, context, handed);
}

async function takeContents(
  container: Container,
  how: Omit<UnpackInput, 'directory' | 'skip' | 'limits'>,
  context: StageContext,
): Promise<HandedOver> {
  const { document, family } = container;
  const { settings } = context;
  const limits = {
    ...settings.unpack,
    entries: Math.max(0, settings.unpack.entries - family.entries),
    bytes: settings.unpack.bytes - family.bytes,
  };
  const input = { ...how, name: document.name, limits };
  try {
    return await tryPasswords(document, context, (password) =>
      takeOnce(container, context, { ...input, password }),
    );
  } catch (error) {
    if (!isLocked(error)) throw error;
    // What is not encrypted can still be taken.
    return takeOnce(container, context, { ...input, skipEncrypted: true });
  }
}

async function takeOnce(
  container: Container,
  context: StageContext,
  input: Omit<UnpackInput, 'directory' | 'skip'>,
) {
  const { document } = container;
  const { database, workDirectory, inSandbox } = context;
  const directory = await mkdtemp(join(await workDirectory(), 'entries-'));
  // The last one again: it may be the record of a limit or of damage that ended the container.
  const skip = Math.max(0, (await countTaken(database.db, document.id)) - 1);
  await reportProgress(directory, { taken: 0, stop: false });
  const work = inSandbox('content.unpack', { ...input, directory, skip });
  let taken = 0;
  for await (const entries of followJournal(directory, work, { from: skip, atOnce })) {
    failpoint('unpack', 'unpacked', document.name);
    const fresh = await takeEntriesIn(context, container, { directory, entries });
    if (fresh > 0) await context.progressed();
    taken += entries.length;
    await reportProgress(directory, { taken, stop: isTimeUp(context) });
    failpoint('unpack', 'group', document.name);
  }
  return work;
}

/** A container that needs more than one run gives its place to others in between. */
function isTimeUp({ timeLeftMs, timeoutMs }: StageContext): boolean {
  return timeLeftMs() < timeoutMs * reserve;
}
const reserve = 0.2;

/** Both lanes failed at the same place. What was taken stays; the rest is an exception. */
async function giveUpRest(document: StageDocument, context: StageContext) {
  const { db } = context.database;
  const taken = await countTaken(db, document.id);
  if (taken === 0 && !isReadable(document.mediaType))
    return unpackContainer(document, context, { preferSecond: true });
  const family = await readFamily(db, document.id);
  return endWith(document, context, {
    family,
    position: taken,
    reason: 'Unpacking failed several times at this point',
  });
}

/** A file with text of its own is still read. */
async function tooDeep(
  document: StageDocument,
  context: StageContext,
  family: Container['family'],
) {
  const reason = `${document.name} is nested ${family.depth} levels deep (MILLRACE_MAX_NESTING)`;
  if (!isReadable(document.mediaType)) return reject('CONTAINER_TOO_LARGE', reason);
  return endWith(document, context, { family, position: 0, reason });
}

async function endWith(
  document: StageDocument,
  context: StageContext,
  { family, position, reason }: { family: Container['family']; position: number; reason: string },
) {
  const rest = { position, name: restName, kind: 'exception' as const, reason };
  const directory = await context.workDirectory();
  await takeEntriesIn(context, { document, family }, { directory, entries: [rest] });
  return account(document, context, { seen: position + 1 });
}

/** Ends the stage if every entry is accounted for. */
async function account(
  document: StageDocument,
  { database }: StageContext,
  { seen, second }: Pick<HandedOver, 'seen' | 'second'>,
) {
  const contents = await countContents(database.db, document.id, seen);
  if (difference(contents) !== 0)
    throw new Error(
      `${document.name} has ${seen} entries, but ${difference(contents)} are unaccounted for`,
    );
  const save = async (tx: Db) => {
    await saveContents(tx, document.id, { ...contents, ...(second && { engine: second.engine }) });
    if (second) await reportSecond(tx, document, second);
  };
  return isReadable(document.mediaType) ? done('family', save) : complete('unpacked', save);
}

async function reportSecond(
  tx: Db,
  { id: documentId, ingestion }: StageDocument,
  { engine, reason }: NonNullable<HandedOver['second']>,
): Promise<void> {
  const message = `The container was unpacked with ${engine}, because: ${reason}`;
  await appendEvent(tx, 'WARNING', ingestion.id, { message, documentId });
}
