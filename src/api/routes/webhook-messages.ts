import { json, Router } from 'express';
import { z } from 'zod';
import { webhookMessages as table } from '../../db/schema/webhook-messages.ts';
import { listMessages, replayMessage, replaySpan } from '../../db/webhook-messages.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse } from '../parse.ts';
import { requireWebhook } from './webhooks.ts';

export const listQuery = pageQuery.extend({
  state: z.enum(table.state.enumValues).default('dead'),
});
export const replaying = z.union([
  z.strictObject({ messageId: z.uuid() }),
  z.strictObject({
    from: z.coerce.date(),
    to: z.coerce.date().optional().describe('Now when absent'),
  }),
]);

/** What was sent to an endpoint or could not be, and sending it again. */
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
    const what = parse(replaying, req.body);
    if ('messageId' in what && !(await replayMessage(db, id, what.messageId)))
      throw new NotFoundError(`There is no message ${what.messageId}`);
    const replayed =
      'messageId' in what
        ? 1
        : await replaySpan(db, id, { from: what.from, to: what.to ?? new Date() });
    res.status(202).json({ id, replayed });
  });

  return router;
};
