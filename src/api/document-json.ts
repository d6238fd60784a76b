import type { DocumentView } from '../db/documents.ts';
import { toDollars } from '../domain/money.ts';
import { problems } from '../domain/problem.ts';

export function documentHref(documentId: string): string {
  return `/v1/documents/${documentId}`;
}

/** The API representation of a document: no storage keys, and a hint for every problem. */
export function documentJson(view: DocumentView) {
  const {
    storageKey,
    transcriptionKey,
    transcriptionSha256,
    preprocessedKey,
    preprocessedType,
    ...rest
  } = view;
  const { schemaOrigin, schemaVersion, costMicros, ...fields } = rest;
  const href = documentHref(view.id);
  return {
    ...fields,
    ...resultJson(view),
    cost: toDollars(costMicros),
    href,
    links: {
      result: `${href}/result`,
      ...(transcriptionKey && { text: `${href}/text` }),
      ...(transcriptionKey && { pages: `${href}/pages` }),
      original: `${href}/artifacts/original`,
      ...(transcriptionKey && { transcription: `${href}/artifacts/transcription` }),
      ...(preprocessedKey && { preprocessed: `${href}/artifacts/preprocessed` }),
    },
  };
}

/** The API representation of a document's result. */
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
  const problemsWithHints = view.problems.map((problem) => ({
    ...problem,
    hint: problems[problem.code],
  }));
  return {
    id,
    status,
    documentType,
    schema,
    structuredData,
    valid,
    verdict,
    needsReview,
    problems: problemsWithHints,
  };
}
