import { type Response, Router } from 'express';
import { z } from 'zod';
import { type DocumentView, type Listing, listDocuments } from '../../db/documents.ts';
import type { Db } from '../../db/index.ts';
import { listTypes } from '../../db/schemas.ts';
import { typeNamed } from '../../domain/known-types.ts';
import { UnknownTypeError, UsageError } from '../../errors.ts';
import { csvLine } from '../../lib/csv.ts';
import type { Routes } from '../context.ts';
import { resultJson } from '../document-json.ts';
import { exportTable } from '../export-table.ts';
import { parse } from '../parse.ts';
import { targetWorkspace } from '../workspace-scope.ts';
import { write } from '../write.ts';
import { listQuery } from './documents.ts';

export const exportQuery = listQuery.pick({ batchId: true, needsReview: true }).extend({
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
  type: z.string().max(63).optional().describe('Document type; required for CSV'),
  workspaceId: z.uuid().optional(),
});

const pageSize = 200;

/** The extracted data of completed documents. Streamed, because it may be long. */
export const documentExport: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/export', async (req, res) => {
    const { format, type, workspaceId: asked, ...filters } = parse(exportQuery, req.query);
    const workspaceId = targetWorkspace(req, asked, context.defaultWorkspaceId);
    const linesOf = format === 'csv' ? await csvFor(db, workspaceId, type) : jsonLines;
    res.attachment(`documents.${format}`);
    res.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
    if (linesOf.head) await write(res, linesOf.head);
    for await (const view of completed(db, { workspaceId, ...filters }, res)) {
      if (type === undefined || view.documentType === type) await write(res, linesOf.text(view));
    }
    res.end();
  });

  return router;
};

interface Lines {
  head?: string;
  text(view: DocumentView): string;
}

const jsonLines: Lines = {
  text(view) {
    const { name, path, batchId } = view;
    return `${JSON.stringify({ ...resultJson(view), name, path, batchId })}\n`;
  },
};

async function csvFor(db: Db, workspaceId: string, type: string | undefined): Promise<Lines> {
  if (type === undefined)
    throw new UsageError(
      'A table needs one document type: its fields are the columns.',
      'Add type, such as type=invoice, or export all types with format=jsonl.',
    );
  const schema = typeNamed(await listTypes(db, workspaceId), type);
  if (!schema) throw new UnknownTypeError(`There is no document type "${type}"`);
  const { columns, rowsOf } = exportTable(schema);
  return { head: csvLine(columns), text: (view) => rowsOf(view).map(csvLine).join('') };
}

/** Newest first, until the caller is gone. */
async function* completed(db: Db, filters: Omit<Listing, 'limit'>, res: Response) {
  for (let before: string | undefined; !res.destroyed; ) {
    const page = await listDocuments(db, {
      ...filters,
      status: 'completed',
      before,
      limit: pageSize,
    });
    yield* page;
    if (page.length < pageSize) return;
    before = page.at(-1)?.id;
  }
}
