import { residentMb } from './resident-memory.ts';

const pollMs = 500;
/** Code of Node.js and models, which is mapped from files and shared between processes. */
const mappedMb = 512;

/**
 * Calls back once when a process holds more memory than it may. WebAssembly is outside the heap
 * limit of V8, and without prlimit nothing else limits it. Returns a function that stops watching.
 */
export function watchMemory(
  pid: number | undefined,
  memoryMb: number,
  onExceeded: () => void,
): () => void {
  if (pid === undefined) return () => undefined;
  const timer = setInterval(async () => {
    if ((await residentMb(pid)) <= memoryMb + mappedMb) return;
    clearInterval(timer);
    onExceeded();
  }, pollMs).unref();
  return () => clearInterval(timer);
}
