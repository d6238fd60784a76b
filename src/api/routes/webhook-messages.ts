import { json, Router } from 'express';
import { z } from 'zod';
import { webhookMessages as table } from '../../db/schema/webhook-messages.ts';
import { listMessages, replayMessage, replaySpan } from '../../db/webhook-messages.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse } from '../parse.ts';
import { requireWebhook } from './webhooks.ts';

export const listQuery = pageQuery.extend({
  state: z.enum(table.state.enumValues).default('dead'),
});
export const replaying = named(
  'ResendMessages',
  z.union([
    z.strictObject({ messageId: z.uuid() }),
    z.strictObject({
      from: z.coerce.date(),
      to: z.coerce.date().optional().describe('Defaults to now'),
    }),
  ]),
);

/** The messages of an endpoint, and replaying them. */
export const webhookMessages: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/:id/messages', async (req, res) => {
    const { id } = await requireWebhook(context, req);
    const { cursor, limit, state } = parse(listQuery, req.query);
    const page = await toPage(limit, (most) =>
      listMessages(db, id, { state, before: cursor, limit: most }),
    );
    res.json({ messages: page.items, nextCursor: page.nextCursor });
  });

  router.post('/:id/replay', json(), async (req, res) => {
    const { id } = await requireWebhook(context, req);
    const target = parse(replaying, req.body);
    if ('messageId' in target && !(await replayMessage(db, id, target.messageId)))
      throw new NotFoundError(`There is no message ${target.messageId}`);
    const replayed =
      'messageId' in target
        ? 1
        : await replaySpan(db, id, { from: target.from, to: target.to ?? new Date() });
    res.status(202).json({ id, replayed });
  });

  return router;
};
