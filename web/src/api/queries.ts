import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type {
  Delivery,
  Document,
  DocumentList,
  PageList,
  Review,
  ReviewChange,
  ReviewList,
  Schema,
  TextPage,
  Why,
} from './types.ts';

export interface ReviewFilter {
  type?: string | undefined;
  reason?: string | undefined;
}

export interface DocumentFilter {
  status?: string | undefined;
  needsReview?: string | undefined;
  batchId?: string | undefined;
}

/** The defined members as a query string, with `?`. */
export function toQuery(members: object): string {
  const given = Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

export const reviewQueue = (filter: ReviewFilter, cursor?: string) =>
  queryOptions({
    queryKey: ['reviews', filter, cursor],
    queryFn: ({ signal }) =>
      request<ReviewList>(`/v1/review${toQuery({ ...filter, cursor })}`, { signal }),
  });

export const reviewOf = (id: string) =>
  queryOptions({
    queryKey: ['review', id],
    queryFn: ({ signal }) =>
      request<Review & { history: ReviewChange[] }>(`/v1/review/${id}`, { signal }),
  });

export const documentOf = (id: string) =>
  queryOptions({
    queryKey: ['document', id],
    queryFn: ({ signal }) => request<Document>(`/v1/documents/${id}`, { signal }),
  });

export const documentList = (filter: DocumentFilter, cursor?: string) =>
  queryOptions({
    queryKey: ['documents', filter, cursor],
    queryFn: ({ signal }) =>
      request<DocumentList>(`/v1/documents${toQuery({ ...filter, cursor })}`, { signal }),
  });

export const schemaOf = (name: string) =>
  queryOptions({
    queryKey: ['schema', name],
    queryFn: ({ signal }) => request<Schema>(`/v1/schemas/${encodeURIComponent(name)}`, { signal }),
    staleTime: 5 * 60_000,
  });

export const pagesOf = (id: string) =>
  queryOptions({
    queryKey: ['pages', id],
    queryFn: ({ signal }) => request<PageList>(`/v1/documents/${id}/pages`, { signal }),
    staleTime: 5 * 60_000,
  });

export const textOf = (id: string) =>
  queryOptions({
    queryKey: ['text', id],
    queryFn: async ({ signal }) =>
      (await request<{ pages: TextPage[] }>(`/v1/documents/${id}/text?format=json`, { signal }))
        .pages,
    staleTime: 5 * 60_000,
  });

export const whyOf = (id: string) =>
  queryOptions({
    queryKey: ['why', id],
    queryFn: ({ signal }) => request<Why>(`/v1/documents/${id}/why`, { signal }),
  });

export const deliveriesOf = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', id],
    queryFn: ({ signal }) =>
      request<{ deliveries: Delivery[] }>(`/v1/deliveries?documentId=${id}`, { signal }),
  });
