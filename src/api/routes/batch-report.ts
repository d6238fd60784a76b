import { Router } from 'express';
import { z } from 'zod';
import { type ReportRow, reportOf } from '../../db/batch-report.ts';
import { readLedger } from '../../db/batches.ts';
import { difference } from '../../domain/batch-ledger.ts';
import { csvLine } from '../../lib/csv.ts';
import type { Routes } from '../context.ts';
import { parse } from '../parse.ts';
import { write } from '../write.ts';
import { requireBatch } from './batches.ts';

export const reportQuery = z.object({ format: z.enum(['json', 'csv']).default('json') });
const columns = [
  'kind',
  'documentId',
  'path',
  'name',
  'stage',
  'code',
  'message',
  'hint',
] as const satisfies (keyof ReportRow)[];

/** The results of a batch and all items that need attention. Streamed, because it may be long. */
export const batchReport: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/:id/report', async (req, res) => {
    const batch = await requireBatch(context, req);
    const rows = reportOf(db, batch.id);
    if (parse(reportQuery, req.query).format === 'csv') {
      res.attachment(`batch-${batch.id}.csv`).type('text/csv; charset=utf-8');
      await write(res, csvLine(columns));
      for await (const row of rows) await write(res, csvLine(columns.map((column) => row[column])));
      return res.end();
    }
    const ledger = await readLedger(db, batch);
    const { id, name, state, stuckAt, completed, failed, cancelled } = batch;
    const head = {
      id,
      name,
      state,
      stuckAt,
      completed,
      failed,
      cancelled,
      ledger,
      difference: difference(ledger),
    };
    res.type('application/json');
    await write(res, `${JSON.stringify(head).slice(0, -1)},"exceptions":[`);
    let separator = '';
    for await (const row of rows) {
      await write(res, separator + JSON.stringify(row));
      separator = ',';
    }
    res.end(']}');
  });

  return router;
};
