import type { Command } from 'commander';
import { z } from 'zod';
import { note } from '../note.ts';
import { print } from '../print.ts';
import { wholeNumber } from '../whole-number.ts';
import { call } from './call.ts';
import { type Filters, filtered } from './filters.ts';
import { replay } from './replay.ts';

const letter = z.looseObject({
  id: z.string(),
  documentName: z.string().nullable(),
  documentPath: z.string().nullable(),
  subject: z.object({ kind: z.string(), id: z.string() }),
  stage: z.string(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  lastSeen: z.string(),
});
const group = z.looseObject({
  fingerprint: z.string(),
  stage: z.string(),
  code: z.string(),
  count: z.number(),
  exampleId: z.string(),
  exampleMessage: z.string(),
  hint: z.string().nullable(),
});

export function dlq(program: Command): void {
  const command = program
    .command('dlq')
    .description('manage dead letters: list, replay or discard them');

  filtered(command.command('list').description('list open dead letters, newest first'))
    .option('--limit <count>', 'maximum number to show', wholeNumber, 25)
    .action(async ({ json, ...query }: Filters) => {
      const { deadLetters } = z
        .object({ deadLetters: z.array(letter) })
        .parse(await call(`?${search(query)}`));
      for (const each of deadLetters) {
        print(json, each, letterLine(each));
        printHint(json, each);
      }
      if (deadLetters.length === 0 && !json) process.stdout.write('No dead letters found.\n');
    });

  filtered(
    command
      .command('groups')
      .description('group open dead letters by kind of failure, most frequent first'),
  ).action(async ({ json, ...query }: Filters) => {
    const { groups } = z
      .object({ groups: z.array(group) })
      .parse(await call(`/groups?${search(query)}`));
    for (const each of groups) {
      print(json, each, groupLine(each));
      printHint(json, each);
    }
    if (groups.length === 0 && !json) process.stdout.write('No dead letters found.\n');
  });

  command
    .command('show')
    .description('print all details of a dead letter')
    .argument('<id>', 'dead letter id')
    .action(async (id: string) => {
      process.stdout.write(
        `${JSON.stringify(await call(`/${encodeURIComponent(id)}`), null, 2)}\n`,
      );
    });

  replay(command);

  command
    .command('discard')
    .description('close dead letters without processing their documents again')
    .argument('<id...>', 'dead letter ids')
    .action(async (ids: string[]) => {
      for (const id of ids) {
        await call(`/${encodeURIComponent(id)}`, { method: 'DELETE' });
        note(`${id} discarded`);
      }
    });
}

function search(query: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
}

function letterLine({
  id,
  lastSeen,
  stage,
  code,
  documentName,
  documentPath,
  subject,
  message,
}: z.infer<typeof letter>): string {
  const name = documentPath ?? documentName ?? `${subject.kind} ${subject.id}`;
  return [id, lastSeen, stage, code, name, message].join('  ');
}

function printHint(json: boolean | undefined, { hint }: { hint: string | null }): void {
  if (!json && hint !== null) process.stdout.write(`    ${hint}\n`);
}

function groupLine({
  count,
  stage,
  code,
  fingerprint,
  exampleId,
  exampleMessage,
}: z.infer<typeof group>): string {
  return [String(count).padStart(6), stage, code, fingerprint, exampleId, exampleMessage].join(
    '  ',
  );
}
