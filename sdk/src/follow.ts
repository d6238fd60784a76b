import { pause } from './pause.ts';
import { parseEvents, type ServerSentEvent, type StreamPosition } from './server-sent.ts';

/** Servers send a comment every few seconds: a connection this quiet is dead. */
const silenceMs = 60_000;

export interface FollowOptions {
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Follows a stream across disconnections: resumes after the last event it has seen. */
export async function* follow(
  open: (headers: Record<string, string>) => Promise<Response>,
  { lastEventId, signal }: FollowOptions,
): AsyncGenerator<ServerSentEvent> {
  const position: StreamPosition = { id: lastEventId ?? null, retryMs: 2_000 };
  for (;;) {
    const response = await open(position.id === null ? {} : { 'last-event-id': position.id });
    yield* parseEvents(textOf(response), position);
    await pause(position.retryMs, signal);
  }
}

/** Ends, instead of failing, when the connection is lost. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await orSilence(reader.read());
      if (!read || read.done) return;
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined if nothing arrives, or if the connection is lost. */
async function orSilence<T>(reading: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silenceMs);
  });
  try {
    return await Promise.race([reading.catch(() => undefined), silence]);
  } finally {
    clearTimeout(timer);
  }
}
