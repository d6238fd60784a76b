import type { Queues } from '../../src/engine/queues/queues.ts';
import { newId } from '../../src/lib/ids.ts';

const garbage = [null, 'text', 42, [], { taskId: 'x', epoch: 0 }, { taskId: newId(), epoch: -1 }];

/** Adds this many jobs that point at no task, spread evenly over these queues. */
export async function addMalformed(
  { byStage }: Queues,
  count: number,
  names = [...byStage.keys()],
): Promise<void> {
  const each = Math.ceil(count / names.length);
  for (const name of names)
    await byStage.get(name)?.addBulk(
      Array.from({ length: each }, (_, i) => ({
        name: 'claim',
        data: garbage[i % garbage.length] as never,
      })),
    );
}
