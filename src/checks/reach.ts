import { connect } from 'node:net';
import { SetupError } from '../errors.ts';
import { describeError } from '../lib/describe-error.ts';
import { SECOND } from '../lib/time.ts';

const timeoutMs = 5 * SECOND;

/** Opens a connection and closes it again. */
export async function reachHost(host: string, port: number, fix: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () =>
      socket.destroy(new Error(`no answer within ${timeoutMs / SECOND} s`)),
    );
    socket.once('error', (error) =>
      reject(
        new SetupError(`${host}:${port} cannot be reached: ${describeError(error)}`, fix, {
          cause: error,
        }),
      ),
    );
  });
}

export async function reachUrl(url: string, init: RequestInit, fix: string): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    const reason = error instanceof Error && error.cause ? error.cause : error;
    throw new SetupError(`${new URL(url).host} cannot be reached: ${describeError(reason)}`, fix, {
      cause: error,
    });
  });
}
