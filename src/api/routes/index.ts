import { board, boardPath } from '../board.ts';
import type { Routes } from '../context.ts';
import type { Access } from '../middleware/authenticate.ts';
import { deadLetters } from './dead-letters.ts';
import { description } from './description.ts';
import { documentContent } from './document-content.ts';
import { documents } from './documents.ts';
import { health } from './health.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { login } from './login.ts';
import { metrics } from './metrics.ts';
import { statistics } from './statistics.ts';
import { why } from './why.ts';

interface Mount {
  path: string;
  /** The least role that may enter. */
  access: Access;
  routes: readonly Routes[];
}

/** Everything the server answers to. */
export const mounts: readonly Mount[] = [
  { path: '/v1/documents', access: 'user', routes: [documents, documentContent, why] },
  { path: '/admin/dlq', access: 'operator', routes: [deadLetters] },
  { path: '/admin/jobs', access: 'operator', routes: [jobs] },
  { path: '/admin/statistics', access: 'operator', routes: [statistics] },
  { path: boardPath, access: 'operator', routes: [board] },
  { path: '/metrics', access: 'open', routes: [metrics] },
  { path: '/', access: 'open', routes: [home, health, login, description] },
];
