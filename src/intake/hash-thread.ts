import { parentPort } from 'node:worker_threads';
import { type Fingerprints, fingerprinting } from './hash.ts';

export type Question = Uint8Array<ArrayBuffer> | 'end';
/** How many bytes were hashed, and at the end what came of it. */
export type HashAnswer = number | Fingerprints;

const { add, result } = fingerprinting();

/** Run as a thread: hashes what it is sent, in order. */
parentPort?.on('message', (question: Question) => {
  if (question !== 'end') add(question);
  const answer: HashAnswer = question === 'end' ? result() : question.byteLength;
  parentPort?.postMessage(answer);
});
