import { and, desc, eq, isNotNull, ne } from 'drizzle-orm';
import type { Db } from './index.ts';
import { documents } from './schema/documents.ts';
import { ingestions } from './schema/ingestions.ts';

export interface Content {
  workspaceId: string;
  sha256: string;
}

/** Other recent ingestions of the same file in the same workspace that have a transcription. */
export async function ingestionsOfSameContent(
  db: Db,
  { workspaceId, sha256 }: Content,
  except: string,
): Promise<string[]> {
  const same = and(eq(documents.workspaceId, workspaceId), eq(documents.sha256, sha256));
  const rows = await db
    .select({ id: ingestions.id })
    .from(documents)
    .innerJoin(ingestions, eq(ingestions.documentId, documents.id))
    .where(and(same, ne(ingestions.id, except), isNotNull(ingestions.transcriptionKey)))
    .orderBy(desc(ingestions.createdAt))
    .limit(3);
  return rows.map(({ id }) => id);
}
