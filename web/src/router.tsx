import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { DocumentFilter, ReviewFilter } from './api/queries.ts';
import { mayUse } from './caller.ts';
import { Layout } from './layout/layout.tsx';
import { NotFound } from './layout/not-found.tsx';
import { ErrorNote } from './ui/error-note.tsx';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const reviewSearch = ({ type, reason }: Record<string, unknown>): ReviewFilter => ({
  type: text(type),
  reason: text(reason),
});

const root = createRootRoute({ component: Layout });
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: mayUse('documents:write') ? '/documents' : '/review' });
  },
});
const queue = createRoute({
  getParentRoute: () => root,
  path: '/review',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('./review/queue-page.tsx'), 'QueuePage'),
});
const review = createRoute({
  getParentRoute: () => root,
  path: '/review/$id',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('./review/review-page.tsx'), 'ReviewPage'),
});
const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: ({ status, needsReview, batchId }: Record<string, unknown>): DocumentFilter => ({
    status: text(status),
    needsReview: needsReview === undefined ? undefined : String(needsReview),
    batchId: text(batchId),
  }),
  component: lazyRouteComponent(() => import('./documents/list-page.tsx'), 'ListPage'),
});
const document = createRoute({
  getParentRoute: () => root,
  path: '/documents/$id',
  component: lazyRouteComponent(() => import('./documents/detail-page.tsx'), 'DetailPage'),
});

export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren([home, queue, review, documents, document]),
    defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
    defaultNotFoundComponent: NotFound,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
