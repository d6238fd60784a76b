import { countdown } from './countdown.ts';

/**
 * Five hops in some system. It is seeded first, then started, and reports each document that has
 * passed all hops.
 */
export interface Course {
  seed(count: number): Promise<void>;
  start(): void | Promise<void>;
  close(): Promise<void>;
}

export type OpenCourse = (onEnd: (id: string) => void) => Promise<Course>;

/** Documents per second, from the start until the last document has passed all hops. */
export async function throughput(count: number, open: OpenCourse): Promise<number> {
  const { tell, done } = countdown(count);
  const course = await open(tell);
  try {
    await course.seed(count);
    const startedAt = performance.now();
    await course.start();
    await done;
    return count / ((performance.now() - startedAt) / 1000);
  } finally {
    await course.close();
  }
}
