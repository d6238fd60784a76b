import { google } from '../../providers/ocr/documentai/google.ts';
import { type StatusName, status } from '../../providers/ocr/documentai/status.ts';

/** An error response of the simulator. */
export class Refusal extends Error {
  readonly code: StatusName;
  readonly retryAfter: string | undefined;
  constructor(code: StatusName, message: string, retryAfter?: string) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Converts an error to a gRPC status. */
export function toStatus(error: unknown): object {
  const metadata = new (google().grpc.Metadata)();
  if (!(error instanceof Refusal))
    return { code: status.INTERNAL, message: String(error), metadata };
  if (error.retryAfter !== undefined) metadata.set('retry-after', error.retryAfter);
  return { code: status[error.code], message: error.message, metadata };
}
