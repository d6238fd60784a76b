import type { Command } from 'commander';
import { z } from 'zod';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { print } from './print.ts';

const view = z.looseObject({
  id: z.string(),
  name: z.string(),
  path: z.string().nullable(),
  status: z.string(),
  needsReview: z.boolean(),
  legalHold: z.boolean().optional(),
  stages: z.array(z.string()),
  problems: z.array(
    z.looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
  ),
  verdict: z.looseObject({ reasons: z.array(z.string()).catch([]) }).nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});
const listing = z.object({ documents: z.array(view) });

export function status(program: Command): void {
  program
    .command('status')
    .description('show the status of documents: the given ones, or the most recent')
    .argument('[id...]', 'document ids')
    .option('--json', 'print one JSON object per document')
    .action(async (ids: string[], { json }: { json?: boolean }) => {
      const call = openClient(configuration());
      const documents =
        ids.length > 0
          ? await Promise.all(
              ids.map(async (id) =>
                view.parse(await call(`/v1/documents/${encodeURIComponent(id)}`)),
              ),
            )
          : listing.parse(await call('/v1/documents?limit=20')).documents;
      for (const document of documents) {
        print(json, document, line(document));
        const facts = ids.length > 0 ? metadataLines(document) : [];
        const lines = json ? [] : [...details(document), ...facts];
        for (const detail of lines) print(false, detail, `    ${detail}`);
      }
      if (documents.length === 0 && !json) process.stdout.write('No documents yet.\n');
    });
}

type View = z.infer<typeof view>;

function line({ id, name, path, status: state, needsReview, legalHold, stages }: View): string {
  return [
    id,
    path ?? name,
    needsReview && state === 'completed' ? 'completed, needs review' : state,
    legalHold ? 'legal hold' : '',
    stages.join(' → '),
  ]
    .filter(Boolean)
    .join('  ');
}

/** What the file says about itself; the names and values of the file are left to `--json`. */
function metadataLines({ metadata }: View): string[] {
  const { raw, ...known } = metadata ?? {};
  return Object.entries(known).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
  );
}

/** Why it failed or needs a review, and what to do. */
function details({ needsReview, problems, verdict }: View): string[] {
  const reasons = needsReview ? (verdict?.reasons ?? []) : [];
  return [
    ...reasons.map((reason) => `review: ${reason}`),
    ...problems.flatMap(({ code, message, hint }) => [
      `${code}: ${message}`,
      ...(hint ? [`  ${hint}`] : []),
    ]),
  ];
}
