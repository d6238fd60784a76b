import type { ServerResponse } from 'node:http';

/** A fault to inject into a call. */
export type ManagerFault =
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** Responds 200 with this body to any request. */
  | { kind: 'body'; body: string }
  /** Sends an endless body. */
  | { kind: 'endless' }
  /** Accepts the request and never responds. */
  | { kind: 'silent' }
  /** Processes the request, then closes the connection without a response. */
  | { kind: 'lost-answer' };

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
      sendEndless(response);
      break;
    case 'silent':
      break;
    default:
      fault satisfies never;
  }
}

function sendEndless(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
