import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/request.ts';
import { createConsoleRouter } from './router.tsx';
import './styles/index.css';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An answer of the API is final; only a lost connection is tried again.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
    },
  },
});
const root = document.getElementById('app');
if (!root) throw new Error('The page has no element #app');
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={createConsoleRouter()} />
  </QueryClientProvider>,
);
