import { Readable } from 'node:stream';

/**
 * Fewer bytes than this per window count as no progress: a trickle must not block a reader for
 * hours.
 */
const LEAST_BYTES = 32 * 1024;

/**
 * Forwards a stream and fails when it delivers too little while the reader is waiting. Time spent
 * by a slow reader does not count.
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
    new Error(`The download stalled: storage sent too little data for ${stallMs / 1000} s`),
    {
      code: 'ETIMEDOUT',
    },
  );
}
