import { setImmediate } from 'node:timers/promises';
import { monotonicNow } from './time.ts';

/** Shorter than a person or a health check notices. */
const longestStepMs = 10;

/**
 * JSON of a large value, made in steps so that other work of the process can run in between. A step
 * is an element of an array or a member that is no array.
 */
export async function jsonInSteps(value: unknown): Promise<string> {
  let pauseAt = monotonicNow() + longestStepMs;
  const pause = async () => {
    if (monotonicNow() < pauseAt) return;
    await setImmediate();
    pauseAt = monotonicNow() + longestStepMs;
  };

  const write = async (part: unknown, depth: number): Promise<string | undefined> => {
    if (depth === 0 || typeof part !== 'object' || part === null || 'toJSON' in part) {
      await pause();
      return JSON.stringify(part);
    }
    const pieces: string[] = [];
    if (Array.isArray(part)) {
      for (const element of part) pieces.push((await write(element, 0)) ?? 'null');
      return `[${pieces.join(',')}]`;
    }
    for (const [name, member] of Object.entries(part)) {
      const json = await write(member, depth - 1);
      if (json !== undefined) pieces.push(`${JSON.stringify(name)}:${json}`);
    }
    return `{${pieces.join(',')}}`;
  };
  return (await write(value, deepest)) ?? 'null';
}

/** Artifacts are an envelope, a value, and the lists in it. */
const deepest = 3;
