import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { BusyError } from '../errors.ts';
import { MINUTE, SECOND } from '../lib/time.ts';

/** What a virus scanner says about a file. */
export type ScanResult =
  | { kind: 'clean' }
  | { kind: 'infected'; signature: string }
  /** The file is larger than the scanner accepts; it was not scanned. */
  | { kind: 'too large' };

export interface Scanner {
  /** Throws BusyError while the scanner is away. */
  scan(bytes: Readable, signal?: AbortSignal): Promise<ScanResult>;
  /** Name and versions of program and signatures. */
  version(): Promise<string>;
}

const silenceMs = 2 * MINUTE;
const retryAfterMs = 15 * SECOND;

/** A scanner that speaks the protocol of ClamAV's clamd, at `host:port` or a Unix socket. */
export function openClamd(address: string): Scanner {
  const version = async () => {
    const socket = open();
    socket.write('zVERSION\0');
    return readReply(socket).catch((error: unknown) => {
      throw unavailable(error);
    });
  };
  const open = () => {
    const socket = address.startsWith('/') ? connect(address) : connect(hostAndPort(address));
    return socket.setTimeout(silenceMs, () => socket.destroy(new Error('clamd does not answer')));
  };
  return {
    async scan(bytes, signal) {
      const socket = open();
      const stop = () => socket.destroy();
      signal?.addEventListener('abort', stop);
      let unread: { cause: unknown } | undefined;
      void sendStream(socket, bytes).catch((cause: unknown) => {
        unread = { cause };
        socket.destroy();
      });
      try {
        return toResult(await readReply(socket));
      } catch (error) {
        signal?.throwIfAborted();
        // The file could not be read: not the scanner's fault.
        if (unread) throw unread.cause;
        // The reply to a file that is too large is lost if clamd closes before we stop sending.
        if (isReset(error) && (await version())) return { kind: 'too large' };
        throw unavailable(error);
      } finally {
        signal?.removeEventListener('abort', stop);
        bytes.destroy();
        socket.destroy();
      }
    },
    version,
  };
}

async function sendStream(socket: Socket, bytes: Readable): Promise<void> {
  socket.write('zINSTREAM\0');
  for await (const chunk of bytes) {
    // Clamd answers and closes in the middle of a file that is too large.
    if (socket.destroyed || !socket.writable) return;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    socket.write(length);
    if (!socket.write(chunk)) await drained(socket);
  }
  socket.write(Buffer.alloc(4));
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve).once('close', () => resolve());
  });
}

/** One reply, which ends with a NUL. */
function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8');
      if (text.includes('\0')) resolve(text.slice(0, text.indexOf('\0')));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('clamd closed the connection')));
  });
}

function toResult(reply: string): ScanResult {
  const [, signature] = /^stream: (.+) FOUND$/.exec(reply) ?? [];
  if (signature) return { kind: 'infected', signature };
  if (reply === 'stream: OK') return { kind: 'clean' };
  if (/size limit exceeded/i.test(reply)) return { kind: 'too large' };
  throw new Error(`clamd answered: ${reply.slice(0, 200)}`);
}

function isReset(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function unavailable(cause: unknown): BusyError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BusyError(`The virus scanner is unavailable: ${reason}`, retryAfterMs, { cause });
}

function hostAndPort(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return {
    host: address.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(at + 1)),
  };
}
