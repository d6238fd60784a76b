import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReviewFilter, reviewOf } from '../api/queries.ts';
import { request } from '../api/request.ts';
import type { Review } from '../api/types.ts';

/** Claims the next document that nobody holds and opens it. */
export function useNextReview(filter: ReviewFilter) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const next = useMutation({
    mutationFn: async () =>
      (await request<Review | undefined>('/v1/review/next', { method: 'POST', body: filter })) ??
      null,
    onSuccess: (review) => {
      void queryClient.invalidateQueries({ queryKey: ['reviews'] });
      if (!review) return;
      queryClient.removeQueries(reviewOf(review.id));
      void navigate({ to: '/review/$id', params: { id: review.id }, search: filter });
    },
  });
  return { ...next, isEmpty: next.data === null };
}
