import type { Command } from 'commander';
import { act } from './act.ts';
import { add } from './add.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { report } from './report.ts';
import { watch } from './watch.ts';

export function batch(program: Command): void {
  const group = program
    .command('batch')
    .description('manage batches: imports of many documents, with progress and a report');
  for (const addTo of [create, add, act, watch, report, list]) addTo(group);
}
