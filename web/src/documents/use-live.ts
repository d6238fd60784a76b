import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const types = [
  'DOCUMENT_ADDED',
  'DOCUMENT_PROCESSED',
  'DOCUMENT_REVIEWED',
  'DOCUMENT_DELETED',
  'TASK_FINISHED',
];
const settleMs = 300;

/** Reloads queries when the server reports events (SSE), several at once together. */
export function useLive(keys: readonly string[], documentId?: string): void {
  const queryClient = useQueryClient();
  const watched = keys.join(' ');
  useEffect(() => {
    const query = new URLSearchParams({
      type: types.join(','),
      ...(documentId && { documentId }),
    });
    const stream = new EventSource(`/v1/events/stream?${query}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const key of watched.split(' '))
          void queryClient.invalidateQueries({ queryKey: [key] });
      }, settleMs);
    };
    for (const type of types) stream.addEventListener(type, reload);
    return () => {
      stream.close();
      clearTimeout(timer);
    };
  }, [queryClient, watched, documentId]);
}
