import { Transform } from 'node:stream';
import { computeFingerprints, type Fingerprints, tooLarge } from './hash.ts';
import { type HashBeside, hashBeside } from './hash-beside.ts';

/** What is no larger is hashed where it is: that takes less than to start a thread. */
const smallBytes = 4 * 2 ** 20;

/** Passes bytes through while it counts and hashes them; fails as soon as there are more than allowed. */
export function hashing(maxBytes: number): { stream: Transform; result(): Promise<Fingerprints> } {
  let bytes = 0;
  let held: Buffer[] = [];
  let beside: HashBeside | undefined;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) return done(tooLarge(maxBytes));
      const pass = (error?: Error) => done(error ?? null, chunk);
      if (beside) return beside.add([chunk], pass);
      held.push(chunk);
      if (bytes <= smallBytes) return pass();
      beside = hashBeside();
      beside.add(held, pass);
      held = [];
    },
    destroy(error, done) {
      if (error) beside?.stop();
      done(error);
    },
  });
  return { stream, result: async () => (beside ? beside.result() : computeFingerprints(held)) };
}
