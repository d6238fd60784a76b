import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { OpenAiFault } from './fault.ts';

/** Sends a body, or applies a fault to it. */
export function respond(
  response: ServerResponse,
  fault: OpenAiFault | undefined,
  body: string,
): void {
  response.setHeader('content-type', 'application/json');
  switch (fault?.kind) {
    case 'silent':
      break;
    case 'status':
      for (const [name, value] of Object.entries(fault.headers ?? {}))
        response.setHeader(name, value);
      sendError(response, fault.status, fault.message ?? 'Simulated.', { code: fault.code });
      break;
    case 'cut':
    case 'stall':
      sendPart(response, body, fault.kind === 'cut');
      break;
    case 'huge':
      sendHuge(response, fault.bytes);
      break;
    case 'html':
      response.setHeader('content-type', 'text/html');
      response.end('<html>Bad gateway</html>');
      break;
    default:
      response.end(body);
  }
}

export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  details: object = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'simulated', ...details } }));
}

/** Sends the first half of a body, then stalls or closes the connection. */
function sendPart(response: ServerResponse, body: string, hangUp: boolean): void {
  response.setHeader('content-length', Buffer.byteLength(body));
  response.write(body.slice(0, body.length / 2), () => {
    if (hangUp) response.destroy();
  });
}

/** Sends a huge JSON body as fast as the client reads it. */
function sendHuge(response: ServerResponse, bytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  function* body() {
    yield '{"choices":[';
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  }
  // The client is expected to close the connection.
  pipeline(Readable.from(body()), response, () => {});
}
