import type { Lane } from '../../domain/lane.ts';

/** Units of its process a task uses while it runs, and of its lifetime when it ends. */
export const laneWeight = { small: 1, large: 5 } as const satisfies Record<Lane, number>;
