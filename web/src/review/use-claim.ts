import { useEffect, useState } from 'react';
import { request } from '../api/request.ts';
import type { Review } from '../api/types.ts';

/**
 * Holds the review of a document while its page is open. Returns the review once it is claimed, or
 * the error if somebody else holds it.
 */
export function useClaim(id: string): { review?: Review; error?: unknown } {
  const [claim, setClaim] = useState<{ id: string; review?: Review; error?: unknown }>({ id });
  useEffect(() => {
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = async () => {
      try {
        const review = await request<Review>(`/v1/review/${id}/claim`, { method: 'POST' });
        if (!isOpen) return;
        setClaim({ id, review });
        timer = setTimeout(keep, review.heartbeatSeconds * 1000);
      } catch (error) {
        if (isOpen) setClaim({ id, error });
      }
    };
    void keep();
    return () => {
      isOpen = false;
      clearTimeout(timer);
      // Settled reviews have no claim to end, and a lost connection ends it by time.
      const ended = request(`/v1/review/${id}/release`, { method: 'POST', keepalive: true });
      ended.catch(() => undefined);
    };
  }, [id]);
  return claim.id === id ? claim : {};
}
