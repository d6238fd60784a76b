/** What a key can be restricted to. The routes of each are in `src/api/routes/index.ts`. */
export const resources = [
  'documents',
  'review',
  'batches',
  'events',
  'formats',
  'schemas',
  'destinations',
  'deliveries',
  'webhooks',
  'workspaces',
  'keys',
  'legal-holds',
  'passwords',
  'dlq',
  'tasks',
  'jobs',
  'statistics',
  'queues',
  'audit',
] as const;
export type Resource = (typeof resources)[number];

export type Scope = `${Resource}:${'read' | 'write'}`;
export const scopes: readonly Scope[] = resources.flatMap((resource) => [
  `${resource}:read` as const,
  `${resource}:write` as const,
]);

/** What a person needs who settles documents and does nothing else. */
export const reviewerScopes: readonly Scope[] = [
  'review:write',
  'documents:read',
  'schemas:read',
  'events:read',
];

/** Whether a key with these scopes may do this. Writing includes reading. */
export function isInScope(granted: readonly Scope[] | null, wanted: Scope): boolean {
  if (granted === null || granted.includes(wanted)) return true;
  return wanted.endsWith(':read') && granted.some((each) => each === writing(wanted));
}

function writing(scope: Scope): string {
  return scope.replace(/:read$/, ':write');
}
