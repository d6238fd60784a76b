import type { Queues } from '../../src/engine/queues/queues.ts';
import { newId } from '../../src/lib/ids.ts';

const garbage = [null, 'text', 42, [], { taskId: 'x', epoch: 0 }, { taskId: newId(), epoch: -1 }];

/** Jobs that point at no task, so many in all, as many in each of these queues as in any other. */
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
