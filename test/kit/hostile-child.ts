import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { PermanentError } from '../../src/errors.ts';
import { serve } from '../../src/sandbox/serve.ts';

/** A sandbox child that can do everything a hostile document could make a parser do. */
export const hostile = {
  echo: async (value: string) => value,
  pid: async () => process.pid,
  /** The file, or why it cannot be read. */
  read: (path: string) => readFile(path, 'utf8').catch((error: Error) => error.message),
  write: async ({ path, bytes }: { path: string; bytes: number }) =>
    writeFile(path, Buffer.alloc(bytes)).catch((error: Error) => error.message),
  connect: async (port: number) => {
    const socket = connect(port, '127.0.0.1');
    const connected = once(socket, 'connect').then(() => 'connected');
    return connected.catch((error: Error) => error.message).finally(() => socket.destroy());
  },
  /** Memory of WebAssembly, which is outside the heap of V8. */
  webAssembly: async (pages: number) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
    memory.grow(pages);
    new Uint8Array(memory.buffer).fill(1);
    return memory.buffer.byteLength;
  },
  environment: async () => Object.keys(process.env),
  shout: async (bytes: number) => process.stdout.write('!'.repeat(bytes)),
  loop: async () => {
    for (;;);
  },
  /** Uses this much CPU time before and after its input is loaded. */
  compute: async (input: { loadMs: number; workMs: number }, onLoaded: () => void) => {
    spin(input.loadMs);
    onLoaded();
    spin(input.workMs);
    return 'computed';
  },
  wait: async (ms: number) => setTimeout(ms),
  exit: async (code: number) => process.exit(code),
  segfault: async () => process.kill(process.pid, 'SIGSEGV'),
  stray: async () => void Promise.reject(new Error('nobody listens')),
  refuse: async () => {
    throw new PermanentError('INVALID_FILE', 'It is broken');
  },
  fail: async () => {
    throw new TypeError('no such thing');
  },
  nativeMemory: async () => {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(2 ** 26, 1));
  },
  heap: async () => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 100_000 }, Math.random));
  },
};

function spin(ms: number): void {
  const start = process.cpuUsage();
  const usedMs = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  while (usedMs() < ms);
}

serve(hostile);
