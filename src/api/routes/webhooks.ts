import { json, type Request, Router } from 'express';
import { z } from 'zod';
import {
  deleteWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  rotateSecret,
  type Webhook,
} from '../../db/webhooks.ts';
import { eventType } from '../../domain/event.ts';
import { NotFoundError } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { DAY, HOUR } from '../../lib/time.ts';
import { send } from '../../webhooks/send.ts';
import { newWebhookSecret } from '../../webhooks/signature.ts';
import { asUsageError } from '../as-usage-error.ts';
import type { ApiContext, Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { visibleWorkspace } from '../workspace-scope.ts';

export const newWebhook = named(
  'NewWebhook',
  z.strictObject({
    url: z.string(),
    workspaceId: z.uuid().optional(),
    types: z.array(eventType).min(1).optional(),
    batchId: z.uuid().optional(),
    ordered: z.boolean().default(false),
  }),
);
export const rotation = named(
  'SecretRotation',
  z
    .strictObject({
      overlapHours: z
        .number()
        .min(0)
        .max(24 * 30)
        .default(24),
    })
    .default({ overlapHours: DAY / HOUR }),
);

export const webhooks: Routes = (context) => {
  const { resources } = context;
  const { database, outgoing, seal } = resources;
  const { db } = database;
  const router = Router();
  router.use(json({ limit: '100kb' }));

  router.post('/', async (req, res) => {
    const { url, workspaceId, types, batchId, ordered } = parse(newWebhook, req.body);
    asUsageError(() => outgoing.check(url));
    const secret = newWebhookSecret();
    const id = await insertWebhook(db, {
      workspaceId:
        workspaceId === undefined
          ? (requireCaller(req).workspaceId ?? null)
          : visibleWorkspace(req, workspaceId),
      url,
      types: types ?? null,
      batchId: batchId ?? null,
      ordered,
      secret: seal.seal(secret),
    });
    // The secret cannot be retrieved later.
    res.status(201).location(`/v1/webhooks/${id}`).json({ id, url, secret });
  });

  router.get('/', async (req, res) => {
    const { cursor, limit } = parse(pageQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listWebhooks(db, { workspaceId, before: cursor, limit: most }),
    );
    res.json({ webhooks: page.items.map(webhookJson), nextCursor: page.nextCursor });
  });

  router.get('/:id', async (req, res) => {
    res.json(webhookJson(await requireWebhook(context, req)));
  });

  router.delete('/:id', async (req, res) => {
    await deleteWebhook(db, (await requireWebhook(context, req)).id);
    res.status(204).end();
  });

  router.post('/:id/enable', async (req, res) => {
    const { id } = await requireWebhook(context, req);
    await enableWebhook(db, id);
    res.json(webhookJson(await requireWebhook(context, req)));
  });

  router.post('/:id/rotate', async (req, res) => {
    const { id } = await requireWebhook(context, req);
    const { overlapHours } = parse(rotation, req.body);
    const secret = newWebhookSecret();
    await rotateSecret(db, id, seal.seal(secret), overlapHours * HOUR);
    res.json({ id, secret, previousUntil: (await requireWebhook(context, req)).previousUntil });
  });

  router.post('/:id/test', async (req, res) => {
    const webhook = await requireWebhook(context, req);
    const data = { message: 'A test of this endpoint', webhookId: webhook.id };
    const body = JSON.stringify({
      type: 'NOTIFICATION',
      timestamp: new Date().toISOString(),
      data,
    });
    res.json({ id: webhook.id, ...(await send(resources, webhook, { id: newId(), body })) });
  });

  return router;
};

/** The endpoint named in the path. Throws a 404 if the caller may not see it. */
export async function requireWebhook({ resources }: ApiContext, req: Request): Promise<Webhook> {
  const id = parseId(req);
  const webhook = await findWebhook(resources.database.db, id, requireCaller(req).workspaceId);
  if (!webhook) throw new NotFoundError(`There is no webhook ${id}`);
  return webhook;
}

/** Secrets are never returned. */
function webhookJson({ secret, previousSecret, ...fields }: Webhook) {
  return fields;
}
