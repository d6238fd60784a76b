import { parentPort } from 'node:worker_threads';
import { type Fingerprints, fingerprinting } from './hash.ts';

/** A chunk of one file, or its end: `end` asks for the result, `drop` forgets the file. */
export type Question = { file: number; chunk: Uint8Array<ArrayBuffer> | 'end' | 'drop' };
/** The number of bytes hashed; after `end`, the result. */
export type HashAnswer = { file: number; answer: number | Fingerprints };

const files = new Map<number, ReturnType<typeof fingerprinting>>();

/** Entry point of the worker thread: hashes the chunks of each file in the order they are sent. */
parentPort?.on('message', ({ file, chunk }: Question) => {
  if (chunk === 'drop') return files.delete(file);
  const hash = files.get(file) ?? fingerprinting();
  files.set(file, hash);
  const reply = (answer: HashAnswer['answer']) =>
    parentPort?.postMessage({ file, answer } satisfies HashAnswer);
  if (chunk !== 'end') {
    hash.add(chunk);
    return reply(chunk.byteLength);
  }
  files.delete(file);
  reply(hash.result());
});
