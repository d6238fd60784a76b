import type { DocumentView } from '../db/documents.ts';
import { toDollars } from '../domain/money.ts';
import { problems } from '../domain/problem.ts';

export function documentHref(documentId: string): string {
  return `/v1/documents/${documentId}`;
}

/** A document as callers see it: no storage keys, every problem with what to do about it. */
export function documentJson(view: DocumentView) {
  const {
    storageKey,
    transcriptionKey,
    transcriptionSha256,
    preprocessedKey,
    preprocessedType,
    ...rest
  } = view;
  const { schemaOrigin, schemaVersion, costMicros, ...shown } = rest;
  const href = documentHref(view.id);
  return {
    ...shown,
    ...resultJson(view),
    cost: toDollars(costMicros),
    href,
    links: {
      result: `${href}/result`,
      ...(transcriptionKey && { text: `${href}/text` }),
      original: `${href}/artifacts/original`,
      ...(transcriptionKey && { transcription: `${href}/artifacts/transcription` }),
      ...(preprocessedKey && { preprocessed: `${href}/artifacts/preprocessed` }),
    },
  };
}

/** What came out of it. */
export function resultJson(view: DocumentView) {
  const {
    id,
    status,
    documentType,
    schemaOrigin,
    schemaVersion,
    structuredData,
    valid,
    verdict,
    needsReview,
  } = view;
  const schema =
    documentType && schemaOrigin
      ? { name: documentType, origin: schemaOrigin, version: schemaVersion }
      : null;
  const explained = view.problems.map((problem) => ({ ...problem, hint: problems[problem.code] }));
  return {
    id,
    status,
    documentType,
    schema,
    structuredData,
    valid,
    verdict,
    needsReview,
    problems: explained,
  };
}
