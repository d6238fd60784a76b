/** As many queues as the pipeline has stages. */
export const hops = ['one', 'two', 'three', 'four', 'five'] as const;

/** Jobs at once of each queue, the same for all. */
export const concurrency = 50;
