import type { Garbage } from './garbage.ts';

export type OpenAiFault =
  | {
      kind: 'status';
      status: number;
      headers?: Record<string, string>;
      code?: string;
      message?: string;
    }
  /** Takes the request and never answers. */
  | { kind: 'silent' }
  /** Hangs up in the middle of the body. */
  | { kind: 'cut' }
  /** Sends the start of a body and then nothing. */
  | { kind: 'stall' }
  /** A body without end, up to so many bytes. */
  | { kind: 'huge'; bytes: number }
  /** HTTP 200 with a body that is no JSON. */
  | { kind: 'html' }
  | { kind: 'garbage'; of: Garbage }
  | { kind: 'refusal' }
  /** The model ran into its token limit. */
  | { kind: 'length' };
