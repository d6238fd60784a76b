import type { Garbage } from './garbage.ts';

export type OpenAiFault =
  | {
      kind: 'status';
      status: number;
      headers?: Record<string, string>;
      code?: string;
      message?: string;
    }
  /** Accepts the request and never responds. */
  | { kind: 'silent' }
  /** Closes the connection in the middle of the body. */
  | { kind: 'cut' }
  /** Sends part of the body, then stalls. */
  | { kind: 'stall' }
  /** Sends a huge body of this many bytes. */
  | { kind: 'huge'; bytes: number }
  /** HTTP 200 with a body that is not JSON. */
  | { kind: 'html' }
  | { kind: 'garbage'; of: Garbage }
  | { kind: 'refusal' }
  /** The model reached its token limit. */
  | { kind: 'length' };
