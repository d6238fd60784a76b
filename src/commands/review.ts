import type { Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';
import { print } from './print.ts';
import { post } from './request.ts';
import { wholeNumber } from './whole-number.ts';

const item = z.looseObject({
  id: z.string(),
  name: z.string(),
  path: z.string().nullable(),
  state: z.string(),
  documentType: z.string().nullable(),
  reasons: z.array(z.string()),
  assignee: z.string().nullable(),
});
const listing = z.object({ reviews: z.array(item) });
const document = z.looseObject({
  documentType: z.string().nullable(),
  revision: z.number(),
  structuredData: z.record(z.string(), z.unknown()).nullable(),
  verdict: z
    .looseObject({ fields: z.record(z.string(), z.looseObject({ ok: z.boolean() })).catch({}) })
    .nullable(),
});
const fieldKinds = z.record(z.string(), z.looseObject({ kind: z.string() }));
const schema = z.looseObject({ definition: z.looseObject({ fields: fieldKinds }) });
const corrected = z.looseObject({
  revision: z.number(),
  verdict: z.looseObject({ valid: z.boolean(), reasons: z.array(z.string()) }),
});

interface Filters {
  type?: string;
  reason?: string;
  mine?: boolean;
  limit?: number;
  json?: boolean;
}

const call = (path: string, init?: RequestInit) => openClient(configuration())(path, init);
const at = (id: string, action = '') => `/v1/review/${encodeURIComponent(id)}${action}`;
const ofDocument = (id: string, action = '') => `/v1/documents/${encodeURIComponent(id)}${action}`;

export function review(program: Command): void {
  const group = program
    .command('review')
    .description('settle documents whose values are in doubt: correct, approve or reject them');

  filtered(group.command('list').description('list open reviews, oldest first'))
    .option('--mine', 'only those that this key holds')
    .option('--limit <count>', 'maximum number to show', wholeNumber, 25)
    .action(async ({ json, mine, ...filters }: Filters) => {
      const query = new URLSearchParams(textual({ ...filters, ...(mine && { assignee: 'me' }) }));
      const { reviews } = listing.parse(await call(`/v1/review?${query}`));
      for (const each of reviews) show(json, each);
      if (reviews.length === 0 && !json) process.stdout.write('Nothing waits for a review.\n');
    });

  filtered(
    group.command('next').description('claim the next open review, and show its values'),
  ).action(async ({ json, ...filters }: Filters) => {
    const found = item.safeParse(await call('/v1/review/next', post(filters)));
    if (!found.success) return void process.stdout.write('Nothing waits for a review.\n');
    await showValues(found.data, json);
  });

  group
    .command('show')
    .description('show a review with its values')
    .argument('<id>', 'document id')
    .option('--json', 'print one JSON object')
    .action(async (id: string, { json }: Filters) => {
      await showValues(item.parse(await call(at(id))), json);
    });

  group
    .command('set')
    .description('correct values; an empty value removes one')
    .argument('<id>', 'document id')
    .argument('<value...>', 'field=value, such as total=25.00')
    .option('--approve', 'accept the document afterwards')
    .action(async (id: string, values: string[], { approve }: { approve?: boolean }) => {
      const { revision } = await setValues(id, values);
      if (approve) await decide(id, 'approve', {}, revision);
    });

  group
    .command('approve')
    .description('accept the values of documents, and start their deliveries')
    .argument('<id...>', 'document ids')
    .action(async (ids: string[]) => {
      for (const id of ids) await decide(id, 'approve', {});
    });

  group
    .command('reject')
    .description('end a review without accepting the values; nothing is delivered')
    .argument('<id>', 'document id')
    .requiredOption('--reason <text>', 'why, for the record')
    .action((id: string, { reason }: { reason: string }) => decide(id, 'reject', { reason }));

  group
    .command('reclassify')
    .description('extract the values again as another document type')
    .argument('<id>', 'document id')
    .argument('<type>', 'document type')
    .action((id: string, documentType: string) => decide(id, 'reclassify', { documentType }));

  group
    .command('release')
    .description('end the claim of a review, so that others get it')
    .argument('<id>', 'document id')
    .action(async (id: string) => {
      await call(at(id, '/release'), post({}));
      note(`${id} released`);
    });
}

function filtered(command: Command): Command {
  return command
    .option('--type <type>', 'only this document type')
    .option('--reason <text>', 'only with this text in a reason, or with this field in doubt')
    .option('--json', 'print JSON');
}

function textual(values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function show(json: boolean | undefined, each: z.infer<typeof item>): void {
  const { id, name, path, documentType, assignee, reasons } = each;
  const holder = assignee === null ? '' : `held by ${assignee}`;
  print(json, each, [id, path ?? name, documentType, holder].filter(Boolean).join('  '));
  if (!json) for (const reason of reasons) print(false, reason, `    ${reason}`);
}

async function showValues(each: z.infer<typeof item>, json: boolean | undefined): Promise<void> {
  const { structuredData, revision, verdict } = document.parse(await call(ofDocument(each.id)));
  if (json) return print(true, { ...each, revision, structuredData, verdict }, '');
  show(false, each);
  for (const [name, value] of Object.entries(structuredData ?? {})) {
    const mark = verdict?.fields[name]?.ok === false ? '?' : ' ';
    print(false, value, `  ${mark} ${name}: ${JSON.stringify(value)}`);
  }
}

async function setValues(id: string, values: readonly string[]) {
  const { documentType, revision } = document.parse(await call(ofDocument(id)));
  const { fields } = schema.parse(await call(`/v1/schemas/${documentType}`)).definition;
  const given = Object.fromEntries(
    values.map((text) => {
      const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined)
        throw new UsageError(`"${text}" is not a value`, 'Write it as field=value.');
      return [name, toValue(value, fields[name]?.kind)];
    }),
  );
  const answer = corrected.parse(
    await call(ofDocument(id, '/fields'), {
      ...post({ fields: given }, { 'if-match': `"${revision}"` }),
      method: 'PATCH',
    }),
  );
  const { valid, reasons } = answer.verdict;
  print(false, answer, valid ? `${id}  no doubts left` : `${id}  in doubt`);
  for (const reason of reasons) print(false, reason, `    ${reason}`);
  return answer;
}

/** Fields say whether a value is a number, a table or text. */
function toValue(text: string, kind: string | undefined): unknown {
  if (text === '') return null;
  if (kind === 'lines') return JSON.parse(text);
  if (kind !== 'amount' && kind !== 'number') return text;
  // The server explains what is wrong with anything else.
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

async function decide(id: string, action: string, body: object, revision?: number) {
  const headers = revision === undefined ? {} : { 'if-match': `"${revision}"` };
  await call(ofDocument(id, `/${action}`), post(body, headers));
  process.stdout.write(`${id}  ${doneWords[action] ?? action}\n`);
}

const doneWords: Record<string, string> = {
  approve: 'approved',
  reject: 'rejected',
  reclassify: 'is extracted again',
};
