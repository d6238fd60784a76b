import { and, eq, gte, ilike, lt, or, type SQL, sql } from 'drizzle-orm';
import { deadLetters } from '../../db/schema/dead-letters.ts';
import { documents } from '../../db/schema/documents.ts';
import type { LetterFilters } from '../../domain/letter-filters.ts';

/** The workspace of the document, or of any other subject. */
export const letterWorkspace = sql<
  string | null
>`coalesce(${documents.workspaceId}, ${deadLetters.workspaceId})`;

/** SQL conditions for the filters that are set. */
export function toConditions(filters: LetterFilters): SQL | undefined {
  return and(
    given(filters.workspace, (id) => eq(letterWorkspace, id)),
    given(filters.batch, (id) => eq(documents.batchId, id)),
    given(filters.stage, (stage) => eq(deadLetters.stage, stage)),
    given(filters.code, (code) => eq(deadLetters.code, code)),
    given(filters.category, (category) => eq(deadLetters.category, category)),
    given(filters.fingerprint, (fingerprint) => eq(deadLetters.fingerprint, fingerprint)),
    given(filters.text, (text) =>
      or(ilike(deadLetters.message, containing(text)), ilike(documents.name, containing(text))),
    ),
    given(filters.since, (at) => gte(deadLetters.lastSeen, new Date(at))),
    given(filters.until, (at) => lt(deadLetters.lastSeen, new Date(at))),
  );
}

function given<Value>(
  value: Value | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined {
  return value === undefined ? undefined : condition(value);
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
