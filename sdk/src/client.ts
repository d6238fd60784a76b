import { follow } from './follow.ts';
import {
  type Content,
  type MillraceOptions,
  type RequestOptions,
  type Sent,
  send,
} from './request.ts';
import type { Arguments, Input, Item, ListName, OperationName, Output, Schemas } from './types.ts';
import { poll, type WaitOptions } from './wait.ts';

export interface UploadOptions extends RequestOptions {
  /** File name, with folders where it has any: `2024/invoice.pdf`. */
  name: string;
  /** Document type; detected when absent. */
  type?: string;
  batchId?: string;
}

type EventFilters = NonNullable<Input<'streamEvents'>['query']>;
interface StreamOptions {
  /** Resume after this event: the `position` or `id` of the last one that was handled. */
  lastEventId?: string;
  signal?: AbortSignal;
}

export interface BatchEvent {
  id: string | null;
  type: string;
  data: Record<string, unknown>;
}

/** A client of one Millrace server. */
export class Millrace {
  readonly #options: MillraceOptions;

  constructor(options: MillraceOptions) {
    this.#options = options;
  }

  /** Calls an operation and returns its parsed answer. Throws a `MillraceError`. */
  async call<Name extends OperationName>(
    name: Name,
    ...[input]: Arguments<Name, RequestOptions>
  ): Promise<Output<Name>> {
    const response = await send(this.#options, name, toSent(input));
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    const isEmpty = response.status === 204;
    return (
      isEmpty ? undefined : await (isJson ? response.json() : response.text())
    ) as Output<Name>;
  }

  /** Like `call`, but returns the response itself, for downloads. */
  request<Name extends OperationName>(
    name: Name,
    ...[input]: Arguments<Name, RequestOptions>
  ): Promise<Response> {
    return send(this.#options, name, toSent(input));
  }

  /** The items of a list, page by page as they are needed. */
  async *each<Name extends ListName>(
    name: Name,
    ...[input]: Arguments<Name, RequestOptions>
  ): AsyncGenerator<Item<Name>> {
    const { query, ...rest } = toSent(input);
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const sent = { ...rest, query: { limit: 100, ...query, ...(cursor && { cursor }) } };
      const page = await json<Page>(send(this.#options, name, sent));
      yield* (Object.values(page).find(Array.isArray) ?? []) as Item<Name>[];
      cursor = page.nextCursor;
    }
  }

  /** Uploads one document, as a stream. Safe to repeat with the same idempotency key. */
  upload(
    content: Content,
    { name, type, batchId, ...options }: UploadOptions,
  ): Promise<Schemas['ReceivedDocument']> {
    const sent = { ...options, content, query: { name, type } };
    return json(
      batchId === undefined
        ? send(this.#options, 'uploadDocuments', sent)
        : send(this.#options, 'uploadBatchDocuments', { ...sent, path: { id: batchId } }),
    );
  }

  /** Waits until a document has been processed, and returns it whatever the outcome. */
  waitFor(id: string, options: WaitOptions = {}): Promise<Schemas['Document']> {
    return poll(
      () => this.call('getDocument', { path: { id }, ...signalOf(options) }),
      ({ status }) => status !== 'in-progress',
      { ...options, what: `Document ${id}` },
    );
  }

  /** Waits until a batch has ended, or needs somebody because items are missing. */
  waitForBatch(id: string, options: WaitOptions = {}): Promise<Schemas['Batch']> {
    return poll(
      () => this.call('getBatch', { path: { id }, ...signalOf(options) }),
      ({ state }) => ['completed', 'cancelled', 'unbalanced'].includes(state),
      { ...options, what: `Batch ${id}` },
    );
  }

  /** Events as they happen, from now or after the last one handled. Reconnects by itself. */
  async *events(
    query: EventFilters = {},
    options: StreamOptions = {},
  ): AsyncGenerator<Schemas['Event']> {
    const open = (header: Record<string, string>) =>
      send(this.#options, 'streamEvents', { query, header, ...signalOf(options) });
    for await (const { data } of follow(open, options)) yield JSON.parse(data);
  }

  /** Events of a batch, from its beginning or after the last one handled. Reconnects by itself. */
  async *batchEvents(id: string, options: StreamOptions = {}): AsyncGenerator<BatchEvent> {
    const open = (header: Record<string, string>) =>
      send(this.#options, 'streamBatchEvents', { path: { id }, header, ...signalOf(options) });
    for await (const event of follow(open, options))
      yield { id: event.id, type: event.type, data: JSON.parse(event.data) };
  }
}

interface Page extends Record<string, unknown> {
  nextCursor: string | null;
}

async function json<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

/** The types of each operation are checked where it is called. */
function toSent(input: object | undefined): Sent {
  return { ...input };
}

function signalOf({ signal }: { signal?: AbortSignal }): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
