import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, S3Error, sendError } from './wire.ts';

/**
 * `slow-down`: 503. `error`: 500. `denied`: 403. `full`: 507. `conflict`: 409. `reset`: the connection breaks before the work is
 * done. `lost-answer`: it breaks afterwards. `silent`: the work is done, but no response is sent.
 * `truncate` and `stall`: half of the body, then the end of the stream or silence.
 */
export type Fault =
  | 'slow-down'
  | 'error'
  | 'denied'
  | 'full'
  | 'conflict'
  | 'reset'
  | 'lost-answer'
  | 'silent'
  | 'truncate'
  | 'stall';

interface Planned {
  fault: Fault;
  matches: (request: IncomingMessage) => boolean;
}

/** Planned faults. Each one occurs once, in order. */
export class Faults {
  private planned: Planned[] = [];

  plan(fault: Fault, matches: (request: IncomingMessage) => boolean = () => true): void {
    this.planned.push({ fault, matches });
  }

  /** Faults that replace the work. */
  strike(request: IncomingMessage, response: ServerResponse): boolean {
    const fault = this.take(request, ['slow-down', 'error', 'denied', 'full', 'conflict', 'reset']);
    if (fault === 'reset') request.socket.destroy();
    if (fault === 'slow-down')
      sendError(response, new S3Error(503, 'SlowDown', 'Please reduce your request rate.'));
    if (fault === 'error')
      sendError(response, new S3Error(500, 'InternalError', 'We encountered an internal error.'));
    if (fault === 'denied') sendError(response, new S3Error(403, 'AccessDenied', 'Access Denied'));
    if (fault === 'full')
      sendError(response, new S3Error(507, 'XMinioStorageFull', 'There is no room left.'));
    if (fault === 'conflict') {
      sendError(
        response,
        new S3Error(409, 'ConditionalRequestConflict', 'A conflicting operation is going on.'),
      );
    }
    return fault !== undefined;
  }

  /** Sends the response, or what a fault leaves of it. */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers = {}, body = '' }: Answer,
  ): void {
    const fault = this.take(request, ['lost-answer', 'silent', 'truncate', 'stall']);
    if (fault === 'lost-answer') return void request.socket.destroy();
    if (fault === 'silent') return;
    response.writeHead(status, headers);
    if (!fault) return void response.end(body);
    response.write(body.slice(0, body.length / 2), () => {
      if (fault === 'truncate') request.socket.destroy();
    });
  }

  private take(request: IncomingMessage, kinds: Fault[]): Fault | undefined {
    const at = this.planned.findIndex(
      ({ fault, matches }) => kinds.includes(fault) && matches(request),
    );
    return at < 0 ? undefined : this.planned.splice(at, 1)[0]?.fault;
  }
}
