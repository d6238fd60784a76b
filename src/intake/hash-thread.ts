import { parentPort } from 'node:worker_threads';
import { type Fingerprints, fingerprinting } from './hash.ts';

export type Question = Uint8Array<ArrayBuffer> | 'end';
/** The number of bytes hashed; after `end`, the result. */
export type HashAnswer = number | Fingerprints;

const { add, result } = fingerprinting();

/** Entry point of the worker thread: hashes chunks in the order they are sent. */
parentPort?.on('message', (question: Question) => {
  if (question !== 'end') add(question);
  const answer: HashAnswer = question === 'end' ? result() : question.byteLength;
  parentPort?.postMessage(answer);
});
