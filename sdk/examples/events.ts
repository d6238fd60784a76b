import type { Millrace, Schemas } from '../src/index.ts';

interface Following {
  /** The position that was saved last; from now on when absent. */
  lastEventId?: string;
  signal?: AbortSignal;
  handle(event: Schemas['Event']): void | Promise<void>;
  /** Saves the position, so that the next start continues there. */
  save(position: string): void | Promise<void>;
}

/** Handles every document that has been processed, also those of the time between two runs. */
export async function followProcessed(
  millrace: Millrace,
  { handle, save, ...options }: Following,
): Promise<void> {
  for await (const event of millrace.events({ type: 'DOCUMENT_PROCESSED' }, options)) {
    await handle(event);
    await save(event.position);
  }
}
