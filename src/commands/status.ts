import type { Command } from 'commander';
import { z } from 'zod';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { print } from './print.ts';

const view = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  needsReview: z.boolean(),
  legalHold: z.boolean().optional(),
  stages: z.array(z.string()),
  problems: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
  path: z.string().nullable().optional(),
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
      for (const document of documents)
        print(json, document, ids.length > 0 ? described(document) : line(document));
      if (documents.length === 0 && !json) process.stdout.write('No documents yet.\n');
    });
}

/** The line of a document, and what is known about its file. */
function described(document: z.infer<typeof view>): string {
  const { raw, ...known } = document.metadata ?? {};
  const facts = Object.entries({ ...(document.path && { path: document.path }), ...known });
  return [
    line(document),
    ...facts.map(
      ([name, value]) => `  ${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
    ),
  ].join('\n');
}

function line({
  id,
  name,
  status: state,
  needsReview,
  legalHold,
  stages,
  problems,
}: z.infer<typeof view>): string {
  const why = problems.map(({ code, message }) => `${code}: ${message}`).join('; ');
  return [
    id,
    name,
    needsReview && state === 'completed' ? 'completed, needs review' : state,
    legalHold ? 'legal hold' : '',
    stages.join(' → '),
    why,
  ]
    .filter(Boolean)
    .join('  ');
}
