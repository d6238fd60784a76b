import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { SECOND } from '../../lib/time.ts';
import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';
import { exitCodes } from '../exit.ts';
import { note } from '../note.ts';
import { print } from '../print.ts';
import { type BatchView, batchView, line, progressLine } from './view.ts';

/** States that do not change without a person; watching ends there. */
const restingStates = ['completed', 'cancelled', 'unbalanced'];

export function watch(group: Command): void {
  group
    .command('watch')
    .description('show the progress of a batch until it ends')
    .argument('<id>', 'batch id')
    .option('--json', 'print the batch as one JSON object when it has ended')
    .addHelpText(
      'after',
      '\nExit codes: 0 all completed, 3 cancelled, unbalanced, or some documents failed.',
    )
    .action(async (id: string, { json }: { json?: boolean }) => {
      const call = openClient(configuration());
      const show = openDisplay();
      for (;;) {
        const answer = await call(`/v1/batches/${encodeURIComponent(id)}`);
        const view = batchView.parse(answer);
        show.update(view);
        if (!restingStates.includes(view.state)) {
          await sleep(SECOND / 2);
          continue;
        }
        show.close();
        print(json, answer, line(view));
        const clean = view.state === 'completed' && view.progress.failed === 0;
        process.exitCode = clean ? exitCodes.ok : exitCodes.someFailed;
        return;
      }
    });
}

/** One live line in a terminal; elsewhere a line for each 10 % done and each change of state. */
function openDisplay() {
  if (process.stderr.isTTY) {
    return {
      update: (view: BatchView) => void process.stderr.write(`\r\x1b[K${progressLine(view)}`),
      close: () => void process.stderr.write('\r\x1b[K'),
    };
  }
  let lastMark = '';
  return {
    update(view: BatchView) {
      const { documents, open } = view.progress;
      const mark = `${view.state} ${documents === 0 ? 0 : Math.floor(((documents - open) / documents) * 10)}`;
      if (mark !== lastMark) note(progressLine(view));
      lastMark = mark;
    },
    close() {},
  };
}
