import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RedisProgram } from './redis-program.ts';

/**
 * Valkey as WebAssembly in a child process: for development and demos on machines without Redis.
 */
export const wasmValkey: RedisProgram = {
  kind: 'Valkey 9.1 (WebAssembly)',
  folder: 'valkey',
  start: (port, home, { aclFile, adminPassword }) => ({
    command: process.execPath,
    args: [...nodeFlags(), fileURLToPath(entry), String(port), home, aclFile],
    // Every local user can see the arguments of a process, but not its environment.
    env: { MILLRACE_VALKEY_PASSWORD: adminPassword },
  }),
  ready: async ({ lines }) => (await lines.next()).value === 'ready',
};

const entry = new URL(`./valkey-process${extname(import.meta.url)}`, import.meta.url);

function nodeFlags(): string[] {
  // Node 20 crashes when it loads a large file through WASI with V8's fast API calls.
  const flags = ['--no-turbo-fast-api-calls', '--disable-warning=ExperimentalWarning'];
  if (extname(import.meta.url) !== '.ts') return flags;
  return [...flags, '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];
}
