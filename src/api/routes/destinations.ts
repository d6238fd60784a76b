import { json, type Request, Router } from 'express';
import { z } from 'zod';
import {
  type DestinationRow,
  deleteDestination,
  findDestination,
  insertDestination,
  listDestinations,
  updateDestination,
} from '../../db/destinations.ts';
import { violates } from '../../db/violates.ts';
import { findDestinationKind, kinds } from '../../destinations/index.ts';
import { tryDestination } from '../../destinations/try.ts';
import { ConflictError, NotFoundError, UsageError } from '../../errors.ts';
import { keys } from '../../lib/keys.ts';
import { SECOND } from '../../lib/time.ts';
import { asUsageError } from '../as-usage-error.ts';
import type { ApiContext, Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { targetWorkspace } from '../workspace-scope.ts';

const changeable = {
  name: z.string().trim().min(1).max(100),
  settings: z.record(z.string(), z.unknown()),
  secret: z.record(z.string(), z.unknown()).optional(),
  enabled: z.boolean(),
  maxConcurrent: z.int().min(1).max(1000).nullable(),
  holdSeconds: z.number().min(0),
  deliverDoubtful: z
    .boolean()
    .describe('Deliver documents that need a review without waiting for it'),
};
export const newDestination = named(
  'NewDestination',
  z.strictObject({
    ...changeable,
    kind: z.enum(keys(kinds)),
    workspaceId: z.uuid().optional(),
    enabled: changeable.enabled.default(true),
    maxConcurrent: changeable.maxConcurrent.default(null),
    holdSeconds: changeable.holdSeconds.default(0),
    deliverDoubtful: changeable.deliverDoubtful.default(false),
  }),
);
export const change = named('DestinationChange', z.strictObject(changeable).partial());

export const destinations: Routes = (context) => {
  const { resources, defaultWorkspaceId } = context;
  const { database, outgoing, seal } = resources;
  const { db } = database;
  const router = Router();
  router.use(json({ limit: '100kb' }));

  /** Checks settings and secret, including that the target may be called; seals the secret. */
  const checkedConfig = (kind: string, settings: unknown, secret: unknown) => {
    const checked = asUsageError(() => {
      findDestinationKind(kind).open(settings, secret, outgoing);
      return findDestinationKind(kind).parse(settings, secret);
    });
    const sealed = checked.secret === undefined ? null : seal.seal(JSON.stringify(checked.secret));
    return { settings: checked.settings, secret: sealed };
  };

  router.post('/', async (req, res) => {
    const { workspaceId, settings, secret, holdSeconds, ...rest } = parse(newDestination, req.body);
    const row = {
      ...rest,
      ...checkedConfig(rest.kind, settings, secret),
      workspaceId: targetWorkspace(req, workspaceId, defaultWorkspaceId),
      holdMs: holdSeconds * SECOND,
    };
    const id = await unique(() => insertDestination(db, row));
    res.status(201).location(`/v1/destinations/${id}`).json({ id, name: row.name, kind: row.kind });
  });

  router.get('/', async (req, res) => {
    const { cursor, limit } = parse(pageQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listDestinations(db, { workspaceId, before: cursor, limit: most }),
    );
    res.json({ destinations: page.items.map(destinationJson), nextCursor: page.nextCursor });
  });

  router.get('/:id', async (req, res) => {
    res.json(destinationJson(await requireDestination(context, req)));
  });

  router.patch('/:id', async (req, res) => {
    const current = await requireDestination(context, req);
    const asked = parse(change, req.body);
    const { settings, secret, holdSeconds, name, enabled, maxConcurrent, deliverDoubtful } = asked;
    const currentSecret: unknown = current.secret
      ? JSON.parse(seal.open(current.secret))
      : undefined;
    if (settings && currentSecret !== undefined && secret === undefined)
      assertSameTarget(current.settings, settings);
    const changes = {
      ...(name !== undefined && { name }),
      ...(enabled !== undefined && { enabled }),
      ...(maxConcurrent !== undefined && { maxConcurrent }),
      ...(deliverDoubtful !== undefined && { deliverDoubtful }),
      ...(holdSeconds !== undefined && { holdMs: holdSeconds * SECOND }),
      ...((settings ?? secret) &&
        checkedConfig(current.kind, settings ?? current.settings, secret ?? currentSecret)),
    };
    if (Object.keys(changes).length > 0)
      await unique(() => updateDestination(db, current.id, changes));
    res.json(destinationJson(await requireDestination(context, req)));
  });

  router.delete('/:id', async (req, res) => {
    await deleteDestination(db, (await requireDestination(context, req)).id);
    res.status(204).end();
  });

  router.post('/:id/test', async (req, res) => {
    const destination = await requireDestination(context, req);
    res.json({ id: destination.id, ...(await tryDestination(resources, destination)) });
  });

  return router;
};

async function requireDestination(
  { resources }: ApiContext,
  req: Request,
): Promise<DestinationRow> {
  const id = parseId(req);
  const destination = await findDestination(
    resources.database.db,
    id,
    requireCaller(req).workspaceId,
  );
  if (!destination) throw new NotFoundError(`There is no destination ${id}`);
  return destination;
}

/** A stored secret must not be sent to an address that its owner did not have in mind. */
function assertSameTarget(current: Record<string, unknown>, next: Record<string, unknown>): void {
  const names = new Set([...Object.keys(current), ...Object.keys(next)]);
  const moved = [...names].some((name) => originOf(current[name]) !== originOf(next[name]));
  if (moved)
    throw new UsageError(
      'A new host, scheme or port requires the secret again.',
      'Send the secret together with the settings.',
    );
}

function originOf(value: unknown): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : undefined;
}

/** The secret is never returned, only whether there is one. */
function destinationJson({ secret, holdMs, deletedAt, ...fields }: DestinationRow) {
  return { ...fields, holdSeconds: holdMs / SECOND, hasSecret: secret !== null };
}

async function unique<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violates(error, 'destinations_name'))
      throw new ConflictError('A destination with this name already exists.');
    throw error;
  }
}
