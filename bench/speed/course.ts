import { countdown } from './countdown.ts';

/** Five hops of some system: seeded first, then started; tells when a document has come through. */
export interface Course {
  seed(count: number): Promise<void>;
  start(): void | Promise<void>;
  close(): Promise<void>;
}

export type OpenCourse = (onEnd: (id: string) => void) => Promise<Course>;

/** Documents a second through a course, from the first that is taken to the last that is through. */
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
