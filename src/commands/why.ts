import type { Command } from 'commander';
import { z } from 'zod';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { plain } from './table.ts';

const answer = z.looseObject({
  id: z.string(),
  reason: z.string(),
  since: z.string(),
  until: z.string().nullable(),
  message: z.string(),
});

const taskAnswer = z.looseObject({ why: answer.omit({ id: true }) });

export function why(program: Command): void {
  program
    .command('why')
    .description('explain what a document is waiting for, since when, and until when at the latest')
    .argument('<id...>', 'document ids')
    .option('--task', 'the ids are those of tasks, of any kind of work')
    .option('--json', 'print one JSON object per document')
    .action(async (ids: string[], { json, task }: { json?: boolean; task?: boolean }) => {
      const call = openClient(configuration());
      for (const id of ids) {
        const found = task
          ? await askTask(call, id)
          : answer.parse(await call(`/v1/documents/${encodeURIComponent(id)}/why`));
        process.stdout.write(json ? `${JSON.stringify(found)}\n` : sentence(found));
      }
    });
}

async function askTask(call: ReturnType<typeof openClient>, id: string) {
  const { why: reason } = taskAnswer.parse(await call(`/admin/tasks/${encodeURIComponent(id)}`));
  return { id, ...reason };
}

function sentence({ id, reason, since, until, message }: z.infer<typeof answer>): string {
  return `${id}  ${reason}  since ${since}${until ? `, until ${until} at the latest` : ''}\n  ${plain(message)}\n`;
}
