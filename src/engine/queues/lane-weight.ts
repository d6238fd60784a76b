import type { Lane } from '../../domain/lane.ts';

/** What a task takes of its process while it runs, and of the life of that process when it has ended. */
export const laneWeight = { small: 1, large: 5 } as const satisfies Record<Lane, number>;
