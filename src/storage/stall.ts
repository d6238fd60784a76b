import { Readable } from 'node:stream';

/** Less than this in a whole window of waiting is no progress: a byte now and then must not keep a reader for hours. */
const LEAST_BYTES = 32 * 1024;

/**
 * Passes a stream on, and fails when it delivers too little while the reader waits for it. The time a slow reader takes
 * does not count.
 */
export function guardAgainstStall(source: Readable, stallMs: number): Readable {
  let timer: NodeJS.Timeout | undefined;
  let received = 0;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const start = () => {
    received = 0;
    timer = setTimeout(() => guarded.destroy(stalled(stallMs)), stallMs);
  };
  const guarded = new Readable({
    read() {
      if (!timer) start();
      source.resume();
    },
    destroy(error, done) {
      stop();
      source.destroy();
      done(error);
    },
  });
  source.on('data', (chunk: Buffer) => {
    received += chunk.length;
    const wanted = guarded.push(chunk);
    if (!wanted) source.pause();
    if (wanted && received < LEAST_BYTES) return;
    stop();
    if (wanted) start();
  });
  source.on('end', () => {
    stop();
    guarded.push(null);
  });
  source.on('error', (error) => guarded.destroy(error));
  return guarded;
}

function stalled(stallMs: number): Error {
  return Object.assign(
    new Error(`Storage sent too little for ${stallMs / 1000} s; the download was given up`),
    {
      code: 'ETIMEDOUT',
    },
  );
}
