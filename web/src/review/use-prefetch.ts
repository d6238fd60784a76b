import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  documentOf,
  pagesOf,
  type ReviewFilter,
  schemaOf,
  textOf,
  toQuery,
} from '../api/queries.ts';
import { request } from '../api/request.ts';
import type { ReviewList } from '../api/types.ts';
import { imageOf } from './page-image.tsx';

const ahead = 2;

/** Loads what will probably come next while a person works on this document. Claims nothing. */
export function usePrefetch({ type, reason }: ReviewFilter, id: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    const prefetch = async () => {
      const query = toQuery({ type, reason, assignee: 'none', limit: ahead + 1 });
      const { reviews } = await request<ReviewList>(`/v1/review${query}`, stop);
      const coming = reviews.filter((review) => review.id !== id).slice(0, ahead);
      for (const { id: next, documentType } of coming) {
        void queryClient.prefetchQuery(documentOf(next));
        void queryClient.prefetchQuery(pagesOf(next)).then(() => prefetchImage(queryClient, next));
        if (documentType) void queryClient.prefetchQuery(schemaOf(documentType));
      }
    };
    // What cannot be prefetched is loaded when it is opened, and reports its error there.
    prefetch().catch(() => undefined);
    return () => stop.abort();
  }, [queryClient, type, reason, id]);
}

/** What the person will see first: the image of page 1, or the text. */
async function prefetchImage(queryClient: QueryClient, id: string): Promise<void> {
  const pages = queryClient.getQueryData(pagesOf(id).queryKey);
  if (pages?.images) new Image().src = imageOf(id, 1);
  else await queryClient.prefetchQuery(textOf(id));
}
