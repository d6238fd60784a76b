import type { IncomingMessage, Server } from 'node:http';
import { SECOND } from '../lib/time.ts';

export interface BodyPace {
  /** Bytes that must arrive within one of two intervals. */
  leastBytes: number;
  intervalMs: number;
}

/** A modem is faster. A large file may take hours, but not with a byte per second. */
export const usualPace: BodyPace = { leastBytes: 16 * 2 ** 10, intervalMs: 30 * SECOND };

/**
 * Closes requests whose body only drips in, to hold a connection for as long as possible. Bytes
 * that we do not read yet because storage is slow count as arrived.
 */
export function closeDrippingBodies(server: Server, { leastBytes, intervalMs } = usualPace): void {
  server.on('request', (req: IncomingMessage) => {
    let before = req.socket.bytesRead;
    let wasSlow = false;
    const timer = setInterval(() => {
      if (req.complete || req.destroyed) return clearInterval(timer);
      const arrived = req.socket.bytesRead - before;
      before = req.socket.bytesRead;
      const isSlow = arrived < leastBytes && !isHeldBack(req);
      // Twice in a row: a network may pause.
      if (isSlow && wasSlow) req.socket.destroy();
      wasSlow = isSlow;
    }, intervalMs).unref();
    req.once('close', () => clearInterval(timer));
    req.once('end', () => clearInterval(timer));
  });
}

/** Whether we are the slow side. */
function isHeldBack(req: IncomingMessage): boolean {
  return req.readableLength > 0 || req.isPaused();
}
