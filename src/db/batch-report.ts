import { sql } from 'drizzle-orm';
import { findHint } from '../domain/problem.ts';
import type { Db } from './index.ts';

/** One row of a batch report: a failed document, or an item that did not become a document. */
export interface ReportRow {
  kind: 'failed' | 'duplicate' | 'known' | 'skipped' | 'exception';
  documentId: string | null;
  /** With folders, where it has any. */
  path: string;
  name: string;
  stage: string | null;
  code: string | null;
  message: string;
  hint: string | null;
}

type Row = Omit<ReportRow, 'hint'> & { id: string };

const page = 500;

/** Reads page by page: a report can be as long as its batch. */
export async function* reportOf(db: Db, batchId: string): AsyncGenerator<ReportRow> {
  for (const statement of [failedStatement, itemsStatement]) {
    let after = '00000000-0000-0000-0000-000000000000';
    for (let rows: Row[] = []; ; ) {
      ({ rows } = await db.execute<Row>(statement(batchId, after)));
      for (const { id, ...row } of rows) {
        yield { ...row, hint: findHint(row.code) };
        after = id;
      }
      if (rows.length < page) break;
    }
  }
}

/** Documents whose latest run failed. */
export function failedStatement(batchId: string, after: string) {
  return sql`
    select i.id, 'failed' as kind, d.id as "documentId", d.name,
           coalesce(d.path, d.name) as path, l.stage, l.code, coalesce(l.message, '') as message
      from ingestions i
      join documents d on d.ingestion_id = i.id and d.id = i.document_id and d.deleted_at is null
      left join lateral (select stage, code, message from dead_letters where ingestion_id = i.id
                          order by first_seen desc limit 1) l on true
     where i.batch_id = ${batchId} and i.status = 'failed' and i.id > ${after} order by i.id limit ${page}`;
}

function itemsStatement(batchId: string, after: string) {
  return sql`
    select id, kind, document_id as "documentId", name, name as path, null as stage, null as code, reason as message
      from batch_items where batch_id = ${batchId} and id > ${after} order by id limit ${page}`;
}
