import type { Command } from 'commander';
import { z } from 'zod';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { print } from './print.ts';
import { post } from './request.ts';

const view = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  batchId: z.string().nullable(),
  documentId: z.string().nullable(),
  reason: z.string(),
  releasedAt: z.string().nullable(),
});
const listing = z.object({ legalHolds: z.array(view) });

interface Options {
  workspace?: string;
  batch?: string;
  document?: string;
  reason: string;
  all?: boolean;
  json?: boolean;
}

export function hold(program: Command): void {
  const group = program
    .command('hold')
    .description('manage legal holds: protect documents from any deletion');
  group
    .command('set')
    .description('protect a workspace, a batch or a document, and print the hold')
    .option('--workspace <id>', 'everything in this workspace')
    .option('--batch <id>', 'all documents of this batch')
    .option('--document <id>', 'this document, and what was found inside it')
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--json', 'print one JSON object')
    .action(({ workspace, batch, document, reason, json }: Options) =>
      send('', { workspaceId: workspace, batchId: batch, documentId: document, reason }, json),
    );
  group
    .command('release')
    .description('end a hold; its documents can be deleted when no other hold covers them')
    .argument('<id>', 'hold id')
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--json', 'print one JSON object')
    .action((id: string, { reason, json }: Options) =>
      send(`/${encodeURIComponent(id)}/release`, { reason }, json),
    );
  group
    .command('list')
    .description('list the newest active holds')
    .option('--all', 'released ones too')
    .option('--json', 'print one JSON object per hold')
    .action(async ({ all = false, json }: Options) => {
      const path = `/admin/legal-holds?limit=100&active=${!all}`;
      const { legalHolds } = listing.parse(await openClient(configuration())(path));
      for (const each of legalHolds) print(json, each, line(each));
    });
}

async function send(path: string, body: object, json: boolean | undefined): Promise<void> {
  const changed = view.parse(
    await openClient(configuration())(`/admin/legal-holds${path}`, post(body)),
  );
  print(json, changed, line(changed));
}

function line({ id, workspaceId, batchId, documentId, reason, releasedAt }: z.infer<typeof view>) {
  const batch = batchId ? `batch ${batchId}` : `workspace ${workspaceId}`;
  const target = documentId ? `document ${documentId}` : batch;
  return [id, target, reason, releasedAt ? `released ${releasedAt}` : 'active'].join('  ');
}
