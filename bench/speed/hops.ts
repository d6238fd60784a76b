/** As many queues as the pipeline has stages. */
export const hops = ['one', 'two', 'three', 'four', 'five'] as const;

/** Concurrent jobs per queue, the same for all systems. */
export const concurrency = 50;
