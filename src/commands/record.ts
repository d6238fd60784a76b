import { asc, eq } from 'drizzle-orm';
import type { DocumentView } from '../db/documents.ts';
import { events } from '../db/schema/events.ts';
import { findHint, type Problem } from '../domain/problem.ts';
import { joinText } from '../domain/transcription.ts';
import type { Resources } from '../resources.ts';
import { loadTranscription } from '../storage/transcriptions.ts';

export const inclusions = ['text', 'structured', 'events'] as const;
export type Inclusion = (typeof inclusions)[number];

/** Where a document came from. */
export interface Source {
  /** In the file system; for an entry, its container and its name there. */
  path: string | null;
  /** The same below the folder that was given. */
  name: string;
}

/** A document as `millrace run --json` prints it. */
export interface RunRecord extends Source {
  documentId: string | null;
  status: DocumentView['status'];
  needsReview: boolean;
  mediaType: string | null;
  documentType: string | null;
  pages: number | null;
  quality: number | null;
  language: string | null;
  problems: (Problem | { code: string; message: string; hint?: string | null })[];
  /** Why the gate asks for a review. */
  reasons: string[];
  stages: string[];
  structuredData: Record<string, unknown> | null;
  /** What the file says about itself. */
  metadata: DocumentView['metadata'];
  /** Where it comes from; null for a file that was given. */
  family: Pick<DocumentView, 'parentId' | 'rootId' | 'position' | 'path'> | null;
  attachmentRange: DocumentView['attachmentRange'];
  /** Of a volume of a split archive: the volume that it was unpacked with. */
  partOf?: string;
  /** Of a container: how many of its entries became documents, duplicates and so on. */
  contents: DocumentView['contents'];
  /** Of a container: entries that did not become documents, with the reason. */
  leftOut: DocumentView['leftOut'];
  text?: string;
  verdict?: Record<string, unknown> | null;
  events?: unknown[];
}

export async function toRecord(
  view: DocumentView,
  { path, name }: Source,
  include: ReadonlySet<Inclusion>,
  { database, storage }: Pick<Resources, 'database' | 'storage'>,
): Promise<RunRecord> {
  const {
    id,
    status,
    needsReview,
    mediaType,
    documentType,
    pages,
    quality,
    language,
    problems,
    stages,
    structuredData,
    metadata,
    parentId,
    rootId,
    position,
    path: inside,
    attachmentRange,
    contents,
    leftOut,
    verdict,
  } = view;
  const reasons = Array.isArray(verdict?.reasons) ? verdict.reasons.map(String) : [];
  return {
    path,
    name,
    documentId: id,
    status,
    needsReview,
    mediaType,
    documentType,
    pages,
    quality: quality === null ? null : Math.round(quality * 100) / 100,
    language,
    problems: problems.map((problem) => ({ ...problem, hint: findHint(problem.code) })),
    reasons,
    stages,
    structuredData,
    metadata,
    family: parentId === null ? null : { parentId, rootId, position, path: inside },
    attachmentRange,
    contents,
    leftOut,
    ...(metadata?.partOf !== undefined && { partOf: metadata.partOf }),
    ...(include.has('text') && { text: await textOfView(view, storage) }),
    ...(include.has('structured') && { verdict }),
    ...(include.has('events') && {
      events: await database.db
        .select()
        .from(events)
        .where(eq(events.ingestionId, view.ingestionId))
        .orderBy(asc(events.id)),
    }),
  };
}

/** The record of a file that did not become a document. */
export function notTaken(
  { path, name }: Source,
  problem: RunRecord['problems'][number],
): RunRecord {
  return {
    path,
    name,
    documentId: null,
    status: 'failed',
    needsReview: true,
    mediaType: null,
    documentType: null,
    pages: null,
    quality: null,
    language: null,
    problems: [problem],
    reasons: [],
    stages: [],
    structuredData: null,
    metadata: null,
    family: null,
    attachmentRange: null,
    contents: null,
    leftOut: null,
  };
}

async function textOfView(
  { transcriptionKey, transcriptionSha256 }: DocumentView,
  storage: Resources['storage'],
): Promise<string> {
  if (!transcriptionKey || !transcriptionSha256) return '';
  return joinText(await loadTranscription(storage, transcriptionKey, transcriptionSha256));
}
