export interface ServerSentEvent {
  /** Null if the server has sent none so far. */
  id: string | null;
  type: string;
  data: string;
}

/** What to resume with: the last id, which may come without an event, and the server's pause. */
export interface StreamPosition {
  id: string | null;
  retryMs: number;
}

/** Parses `text/event-stream`. Updates the position before it yields. */
export async function* parseEvents(
  chunks: AsyncIterable<string>,
  position: StreamPosition,
): AsyncGenerator<ServerSentEvent> {
  let rest = '';
  let id = position.id;
  let type = '';
  let data: string[] = [];
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') type = value;
      else if (field === 'id') id = value;
      else if (field === 'retry' && /^\d+$/.test(value)) position.retryMs = Number(value);
      if (line !== '') continue;
      // Only now: the event of an id may have been cut off.
      position.id = id;
      if (data.length > 0) yield { id, type: type || 'message', data: data.join('\n') };
      [type, data] = ['', []];
    }
  }
}
