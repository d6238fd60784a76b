import type { ServerResponse } from 'node:http';

/** What goes wrong with a call. */
export type ManagerFault =
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** 200 and this, whatever was asked. */
  | { kind: 'body'; body: string }
  /** A body without end. */
  | { kind: 'endless' }
  /** Takes the request and never answers. */
  | { kind: 'silent' }
  /** Does the work and hangs up. */
  | { kind: 'lost-answer' };

/** Sends what a fault makes of an answer. */
export function sendFault(
  response: ServerResponse,
  fault: Exclude<ManagerFault, { kind: 'lost-answer' }>,
): void {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, fault.headers).end(fault.body);
      break;
    case 'body':
      response.writeHead(200, { 'content-type': 'application/json' }).end(fault.body);
      break;
    case 'endless':
      pour(response);
      break;
    case 'silent':
      break;
    default:
      fault satisfies never;
  }
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
