import { Transform } from 'node:stream';
import { computeFingerprints, type Fingerprints, tooLarge } from './hash.ts';
import { type HashBeside, hashBeside } from './hash-beside.ts';

/** Up to this size hashing takes a few milliseconds, which the event loop can spare. */
const smallBytes = 2 ** 19;

/** Passes bytes through while counting and hashing them. Fails as soon as the limit is exceeded. */
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
      if (error) beside?.drop();
      done(error);
    },
  });
  return { stream, result: async () => (beside ? beside.result() : computeFingerprints(held)) };
}
