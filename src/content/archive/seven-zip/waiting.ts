/** How much may wait to be taken. A single larger file is always allowed. */
const most = { files: 64, kilobytes: 128 * 1024 };
const kilobyte = 1024;

export function noneWaiting(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** Called by the thread for each file: sleeps while too much waits. */
export function waitForRoom(waiting: SharedArrayBuffer, bytes: number): void {
  const counts = new Int32Array(waiting);
  for (;;) {
    const files = Atomics.load(counts, 0);
    const isFull = files >= most.files || Atomics.load(counts, 1) > most.kilobytes;
    if (files === 0 || !isFull) break;
    Atomics.wait(counts, 0, files);
  }
  Atomics.add(counts, 0, 1);
  Atomics.add(counts, 1, Math.ceil(bytes / kilobyte));
}

/** Called by the other side when a file was taken. */
export function makeRoom(waiting: SharedArrayBuffer, bytes: number): void {
  const counts = new Int32Array(waiting);
  Atomics.sub(counts, 1, Math.ceil(bytes / kilobyte));
  Atomics.sub(counts, 0, 1);
  Atomics.notify(counts, 0);
}
