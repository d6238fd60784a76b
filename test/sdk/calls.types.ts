import type { Millrace, Output, Schemas } from '../../sdk/src/index.ts';

/** What the compiler accepts, and what it refuses. */
export function calls(millrace: Millrace): unknown[] {
  const path = { id: 'a' };
  return [
    millrace.call('listFormats'),
    millrace.call('createBatch', { body: { name: 'a' } }),
    millrace.call('getDocument', { path }) satisfies Promise<Schemas['Document']>,
    millrace.call('claimNextReview') satisfies Promise<Schemas['Review'] | undefined>,
    millrace.call('getText', { path }) satisfies Promise<Schemas['Transcription'] | string>,
    // @ts-expect-error There is no such operation.
    millrace.call('getDocumen', { path }),
    // @ts-expect-error The path is required.
    millrace.call('getDocument'),
    // @ts-expect-error There is no such status.
    millrace.call('listDocuments', { query: { status: 'x' } }),
    // @ts-expect-error If-Match is required.
    millrace.call('correctFields', { path, body: { fields: {} } }),
    // @ts-expect-error The body is required.
    millrace.call('createBatch', {}),
    // @ts-expect-error This is no list that ends.
    millrace.each('listEvents'),
    // @ts-expect-error There is no such member.
    (document: Output<'getDocument'>) => document.statu,
  ];
}
