import { UsageError } from '../errors.ts';

/** The key of each kind of object. */
export const storageKeys = {
  /** Files that users put here are imported by a batch. */
  inbox: (workspaceId: string) => `inbox/${workspaceId}/`,
  original: (documentId: string, extension: string) => `documents/${documentId}.${tame(extension)}`,
  /** Prefix of all objects of an ingestion. */
  ingestion: (ingestionId: string) => `ingestions/${ingestionId}/`,
  transcription: (ingestionId: string, pass: 1 | 2) =>
    `ingestions/${ingestionId}/transcription-output${pass === 2 ? '-2' : ''}.json`,
  preprocessed: (ingestionId: string, extension: string) =>
    `ingestions/${ingestionId}/preprocessed.${tame(extension)}`,
  /** Made on demand from the pages that this transcription describes. */
  pageImage: (
    { ingestionId, transcriptionSha256 }: { ingestionId: string; transcriptionSha256: string },
    { page, width, format }: { page: number; width: number; format: string },
  ) =>
    `ingestions/${ingestionId}/renditions/${transcriptionSha256.slice(0, 16)}/page-${page}-${width}.${format}`,
  typeChoice: (ingestionId: string) => `ingestions/${ingestionId}/type-choice.json`,
  extraction: (ingestionId: string) => `ingestions/${ingestionId}/extraction-output.json`,
};

/** The document or ingestion that an object belongs to; undefined for a key that is not ours. */
export function parseOwner(key: string): string | undefined {
  return /^(?:documents|ingestions)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[./]/.exec(
    key,
  )?.[1];
}

/** Extensions come from untrusted file names. */
function tame(extension: string): string {
  const plain = extension.toLowerCase().replace(/^\./, '');
  return /^[a-z0-9]{1,8}$/.test(plain) ? plain : 'bin';
}

const name = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;
const LONGEST = 900;

/** Keys become paths and URLs, so traversal and ambiguous spellings are refused. */
export function checkKey(key: string): void {
  if (key.length <= LONGEST && key.split('/').every((part) => name.test(part))) return;
  throw new UsageError(
    `${JSON.stringify(key.slice(0, 100))} is not a valid storage key`,
    'Use names of letters, digits, dot, underscore and dash, joined by single slashes.',
  );
}

/** A prefix may be empty, end with a slash, or end in the middle of a name. */
export function checkPrefix(prefix: string): void {
  checkKey(`${prefix}x`);
}
