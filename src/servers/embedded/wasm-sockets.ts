import { createServer, type Server } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';

/**
 * Constants of the guest's event loop (`ae.h`). Socket descriptors start above those of WASI files.
 */
const firstDescriptor = 4096;
const readable = 1;
const writable = 2;
const again = -1;

interface Connection {
  readonly socket: Duplex;
  readonly received: Buffer[];
  ended: boolean;
  congested: boolean;
}

interface Listener {
  readonly server: Server;
  readonly waiting: number[];
}

export interface SocketEvents {
  /** Data arrived, or a connection became writable: the guest must poll. */
  onActivity(): void;
  onListening(): void;
  onListenError(error: Error): void;
  /** Called with a private connection; others are accepted when the promise resolves. */
  beforeListening(connection: Duplex): Promise<void>;
}

/**
 * Sockets for Valkey as WebAssembly. The guest opens, polls, reads and writes descriptors; the host
 * keeps a Node.js socket behind each. All guest calls are synchronous and never block.
 */
export class WasmSockets {
  readonly #connections = new Map<number, Connection>();
  readonly #listeners = new Map<number, Listener>();
  readonly #host: string;
  readonly #memory: () => Buffer;
  readonly #events: SocketEvents;
  #next = firstDescriptor;

  constructor(host: string, memory: () => Buffer, events: SocketEvents) {
    this.#host = host;
    this.#memory = memory;
    this.#events = events;
  }

  /** The functions the guest imports as its module `host`. */
  get imports() {
    return {
      socket: () => this.#next++,
      listen: (descriptor: number, port: number) => this.#listen(descriptor, port),
      accept: (descriptor: number) => this.#listeners.get(descriptor)?.waiting.shift() ?? again,
      read: (descriptor: number, at: number, length: number) => this.#read(descriptor, at, length),
      write: (descriptor: number, at: number, length: number) =>
        this.#write(descriptor, at, length),
      close: (descriptor: number) => this.#close(descriptor),
      poll: (wanted: number, count: number, fired: number, room: number) =>
        this.#poll(wanted, count, fired, room),
    };
  }

  #listen(descriptor: number, port: number): number {
    const waiting: number[] = [];
    const server = createServer({ noDelay: true }, (socket) => {
      waiting.push(this.#connect(socket));
      this.#events.onActivity();
    });
    server.once('error', (error) => this.#events.onListenError(error));
    this.#listeners.set(descriptor, { server, waiting });
    const [ours, guests] = duplexPair();
    waiting.push(this.#connect(guests));
    this.#events
      .beforeListening(ours)
      .then(() => server.listen(port, this.#host, () => this.#events.onListening()))
      .catch((error) => this.#events.onListenError(error));
    return 0;
  }

  #connect(socket: Duplex): number {
    const descriptor = this.#next++;
    const connection: Connection = { socket, received: [], ended: false, congested: false };
    const changed = (change: () => void) => () => {
      change();
      this.#events.onActivity();
    };
    const end = changed(() => {
      connection.ended = true;
    });
    socket.on('data', (bytes) => changed(() => connection.received.push(bytes))());
    socket.on('end', end).on('close', end).on('error', end);
    socket.on(
      'drain',
      changed(() => {
        connection.congested = false;
      }),
    );
    this.#connections.set(descriptor, connection);
    return descriptor;
  }

  #read(descriptor: number, at: number, length: number): number {
    const connection = this.#connections.get(descriptor);
    if (!connection) return again;
    const memory = this.#memory();
    let copied = 0;
    for (
      let head = connection.received[0];
      head && copied < length;
      head = connection.received[0]
    ) {
      const taken = head.copy(memory, at + copied, 0, Math.min(head.length, length - copied));
      copied += taken;
      if (taken === head.length) connection.received.shift();
      else connection.received[0] = head.subarray(taken);
    }
    return copied > 0 || connection.ended ? copied : again;
  }

  #write(descriptor: number, at: number, length: number): number {
    const connection = this.#connections.get(descriptor);
    if (!connection || connection.ended) return again;
    // A copy: the guest reuses its buffer as soon as this returns.
    const bytes = Buffer.from(this.#memory().subarray(at, at + length));
    connection.congested = !connection.socket.write(bytes);
    return length;
  }

  #close(descriptor: number): void {
    this.#connections.get(descriptor)?.socket.destroy();
    this.#connections.delete(descriptor);
    this.#listeners.get(descriptor)?.server.close();
    this.#listeners.delete(descriptor);
  }

  /** Both lists hold pairs of 32-bit numbers: descriptor, event mask. */
  #poll(wanted: number, count: number, fired: number, room: number): number {
    const memory = this.#memory();
    let found = 0;
    for (let i = 0; i < count && found < room; i++) {
      const descriptor = memory.readInt32LE(wanted + i * 8);
      const ready = this.#state(descriptor) & memory.readInt32LE(wanted + i * 8 + 4);
      if (ready === 0) continue;
      memory.writeInt32LE(descriptor, fired + found * 8);
      memory.writeInt32LE(ready, fired + found * 8 + 4);
      found++;
    }
    return found;
  }

  #state(descriptor: number): number {
    const listener = this.#listeners.get(descriptor);
    if (listener) return listener.waiting.length > 0 ? readable : 0;
    const connection = this.#connections.get(descriptor);
    if (!connection) return 0;
    const input = connection.received.length > 0 || connection.ended ? readable : 0;
    return input | (connection.congested ? 0 : writable);
  }
}
