import { expect, test } from 'vitest';
import { notTaken } from './record.ts';
import { resultTable } from './table.ts';

const none = { documents: 0, duplicate: 0, known: 0, skipped: 0, exception: 0 };

test.each([
  [{ ...none, seen: 0 }, '0 entries'],
  [{ ...none, seen: 1, documents: 1 }, '1 entry: 1 document'],
  [
    { ...none, seen: 3, known: 1, skipped: 1, exception: 1 },
    '3 entries: 1 known file, 1 skipped, 1 exception',
  ],
  [
    { seen: 9, documents: 2, duplicate: 2, known: 2, skipped: 1, exception: 2 },
    '9 entries: 2 documents, 2 duplicates, 2 known files, 1 skipped, 2 exceptions',
  ],
])('the verdict on a container, %j', (contents, verdict) => {
  const table = resultTable([
    {
      ...notTaken(
        { path: 'mail.eml', name: 'mail.eml' },
        { code: 'FILE_MISSING_OR_INCOMPLETE', message: '' },
      ),
      status: 'completed',
      contents,
    },
  ]);
  expect(table.trimEnd().split('\n').at(-1)).toMatch(new RegExp(` ${verdict}$`));
});
