import { z } from 'zod';
import { ingestions } from '../../db/schema/ingestions.ts';
import { replays } from '../../db/schema/replays.ts';
import { itemKinds } from '../../domain/batch-ledger.ts';
import { reasons } from '../../domain/circumstances.ts';
import { origins } from '../../domain/known-types.ts';
import { lanes } from '../../domain/lane.ts';
import { metadata } from '../../domain/metadata.ts';
import { problems } from '../../domain/problem.ts';
import { reviewStates } from '../../domain/review.ts';
import { keys } from '../../lib/keys.ts';
import { named } from '../named.ts';

/** Response schemas. Objects are loose, because clients must ignore members they do not know. */

const at = z.iso.datetime();
const status = z.enum(ingestions.status.enumValues);
const explainedProblem = named(
  'DocumentProblem',
  z.looseObject({
    code: z.enum(keys(problems)),
    message: z.string(),
    hint: z.string(),
  }),
);

export const problemSchema = named(
  'Problem',
  z
    .looseObject({
      type: z.literal('about:blank'),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      code: z.string().describe('Stable code for programs'),
      retryable: z.boolean().describe('Whether the same request may succeed later'),
      hint: z.string().optional().describe('What to do about it'),
      requestId: z.string().describe('Identifies the request in the server log'),
    })
    .describe('Problem details (RFC 9457)'),
);

export const resultSchema = named(
  'Result',
  z.looseObject({
    id: z.uuid(),
    status,
    documentType: z.string().nullable(),
    schema: z
      .looseObject({ name: z.string(), origin: z.enum(origins), version: z.int() })
      .nullable()
      .describe('The schema that the data was extracted with'),
    structuredData: z.record(z.string(), z.unknown()).nullable(),
    valid: z.boolean().nullable().describe('Whether every value passed the gate'),
    verdict: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Result of the gate for each field'),
    revision: z.int().optional().describe('How often a person has changed the values'),
    machineData: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe('What was extracted, if a person has changed values since'),
    review: z
      .object({ state: z.enum(reviewStates), by: z.string().nullable(), at: z.string().nullable() })
      .nullish()
      .describe('The review of the values, if they were in doubt'),
    needsReview: z.boolean(),
    problems: z.array(explainedProblem),
  }),
);

/** `seen` equals the sum of the other counts. */
export const ledgerSchema = named(
  'Ledger',
  z.object({
    seen: z.int(),
    documents: z.int(),
    duplicate: z.int(),
    known: z.int().describe('System files such as Thumbs.db or .DS_Store'),
    skipped: z.int(),
    exception: z.int(),
  }),
);

export const documentSchema = named(
  'Document',
  resultSchema.extend({
    workspaceId: z.uuid(),
    batchId: z.uuid().nullable(),
    parentId: z.uuid().nullable().describe('The container that this document was unpacked from'),
    rootId: z.uuid().nullable().describe('The uploaded file that contains it, at any depth'),
    position: z.int().nullable().describe('Its position in the container, from 0'),
    path: z
      .string()
      .nullable()
      .describe('With its folders: inside the container, or below the folder that was uploaded'),
    contents: ledgerSchema
      .extend({
        engine: z
          .string()
          .optional()
          .describe('The engine that unpacked the container, if the usual one could not'),
      })
      .nullable()
      .describe('Counts of the entries of an unpacked container'),
    attachmentRange: z
      .object({ count: z.int(), first: z.uuid().nullable(), last: z.uuid().nullable() })
      .nullable()
      .describe('The documents unpacked from this one: how many, and the first and last of them'),
    leftOut: z
      .array(z.object({ name: z.string(), kind: z.enum(itemKinds), reason: z.string() }))
      .nullable()
      .describe(
        'The first hundred entries of a container that did not become documents, with the reason',
      ),
    name: z.string(),
    declaredType: z.string().nullable(),
    mediaType: z.string().nullable().describe('Type detected from the content'),
    metadata: metadata
      .nullable()
      .describe('What the file says about itself; `raw` has the names and values of the file'),
    bytes: z.int(),
    legalHold: z.boolean().describe('Whether a legal hold protects it from deletion'),
    sha256: z.string(),
    ingestionId: z.uuid(),
    attempts: z.int(),
    pages: z.int().nullable(),
    quality: z.number().min(0).max(1).nullable(),
    language: z.string().nullable(),
    stages: z.array(z.string()).describe('Completed stages, in order of completion'),
    model: z.string().nullable(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    cost: z.number().describe('Vendor cost of this document in US dollars'),
    createdAt: at,
    completedAt: at.nullable(),
    href: z.string(),
    links: z.record(z.string(), z.string()),
  }),
);

export const receivedSchema = named(
  'ReceivedDocument',
  z.looseObject({ id: z.uuid(), href: z.string() }),
);
export const startedSchema = named(
  'StartedRun',
  z.looseObject({
    id: z.uuid(),
    ingestionId: z.uuid(),
    status,
    href: z.string(),
  }),
);

export const whySchema = named(
  'Wait',
  z.looseObject({
    id: z.uuid(),
    status,
    reason: z.enum(reasons),
    stage: z.string().nullable(),
    lane: z
      .enum(lanes)
      .nullable()
      .describe('Lane of the stage; `large` only in stages that have two lanes'),
    since: at,
    until: at.nullable().describe('Latest time at which the wait ends; null if it has no deadline'),
    message: z.string(),
  }),
);

export const subjectSchema = named(
  'Subject',
  z
    .object({ kind: z.string(), id: z.uuid() })
    .describe('What the task works on: an `ingestion`, or another kind of work item'),
);

export const letterSchema = named(
  'DeadLetter',
  z.looseObject({
    id: z.uuid(),
    subject: subjectSchema,
    documentId: z.uuid().nullable().describe('Null if the subject is not an ingestion'),
    documentName: z.string().nullable(),
    documentPath: z.string().nullable().describe('With its folders, where it has any'),
    workspaceId: z.uuid().nullable(),
    batchId: z.uuid().nullable(),
    ingestionId: z.uuid().nullable(),
    taskId: z.uuid(),
    stage: z.string(),
    code: z.string(),
    category: z.string(),
    message: z.string(),
    hint: z.string().nullable().describe('What to do about it'),
    stack: z.string().nullable(),
    fingerprint: z.string(),
    attempts: z.int(),
    worker: z.string().nullable(),
    state: z.enum(['open', 'replayed', 'discarded']),
    replayedAs: z.uuid().nullable(),
    firstSeen: at,
    lastSeen: at,
    closedAt: at.nullable(),
  }),
);

export const taskSchema = named(
  'Task',
  z.looseObject({
    id: z.uuid(),
    subject: subjectSchema,
    workspaceId: z.uuid().nullable(),
    documentId: z.uuid().nullable(),
    stage: z.string(),
    lane: z.enum(lanes),
    state: z.enum(['ready', 'running', 'done', 'dead', 'cancelled']),
    attempts: z.int(),
    worker: z.string().nullable(),
    lastError: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: at,
    endedAt: at.nullable(),
    why: whySchema.omit({ id: true, status: true }),
  }),
);

export const groupSchema = named(
  'DeadLetterGroup',
  z.looseObject({
    fingerprint: z.string(),
    stage: z.string(),
    code: z.string(),
    count: z.int(),
    firstSeen: at,
    lastSeen: at,
    exampleId: z.uuid(),
    exampleMessage: z.string(),
    hint: z.string().nullable().describe('What to do about it'),
  }),
);

export const replaySchema = named(
  'Replay',
  z.looseObject({
    id: z.uuid(),
    state: z.enum(replays.state.enumValues),
    total: z.int().describe('Number of dead letters to replay'),
    handled: z.int(),
    outcomes: z.record(z.string(), z.int()),
    reasons: z.array(z.string()).describe('Distinct reasons why letters were not replayed'),
    more: z.boolean().describe('Whether the limit left out further matching letters'),
    createdAt: at,
    finishedAt: at.nullable(),
    href: z.string(),
  }),
);

export const jobSchema = named(
  'IntervalJob',
  z.looseObject({
    name: z.string(),
    everyMs: z.number(),
    startedAt: at.nullable(),
    finishedAt: at.nullable(),
    succeededAt: at.nullable(),
    report: z.record(z.string(), z.number()).nullable(),
    error: z.string().nullable(),
  }),
);

export const nextCursor = z
  .string()
  .nullable()
  .describe('Cursor of the next page; null on the last page');
