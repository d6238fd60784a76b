import { appendEvent } from '../db/events.ts';
import {
  dueMessages,
  makeMessages,
  recordResult,
  type WebhookMessage,
} from '../db/webhook-messages.ts';
import {
  disableWebhook,
  pauseWebhook,
  type Webhook,
  webhooksWithDueMessages,
} from '../db/webhooks.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { monotonicNow, SECOND } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import { type Judgement, longestWaitMs, waitAfter } from '../webhooks/judge.ts';
import { send } from '../webhooks/send.ts';

const batch = 1000;

/** Turns events into webhook messages and sends those that are due, including retries. */
export const sendWebhooks: IntervalJob = {
  everyMs: 1 * SECOND,
  async run(context) {
    for (let read = batch; read === batch; ) read = await makeMessages(context.database.db, batch);
    return sendDue(context);
  },
};

type Needs = Pick<Resources, 'database' | 'outgoing' | 'seal' | 'log'>;

/** Concurrent messages per endpoint. */
const atOnce = 10;
/** Time per endpoint and pass. The rest is sent in the next pass. */
const passMs = 10 * SECOND;
/** After a failure all messages wait, so that an endpoint that is down is called only once. */
const restMs = 5 * SECOND;

/**
 * One pass. Endpoints are served concurrently, so a slow one delays no other. An internal error is
 * thrown only after all of them are done: if the pass ended earlier, the next one would start while
 * messages are still being sent, and send them again.
 */
export async function sendDue(needs: Needs): Promise<{ delivered: number; failed: number }> {
  const endpoints = await webhooksWithDueMessages(needs.database.db);
  const served = await Promise.allSettled(endpoints.map((webhook) => serve(needs, webhook)));
  const counts = served.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
  const sum = (of: 'delivered' | 'failed') => counts.reduce((total, count) => total + count[of], 0);
  return { delivered: sum('delivered'), failed: sum('failed') };
}

async function serve(
  needs: Needs,
  webhook: Webhook,
): Promise<{ delivered: number; failed: number }> {
  const { db } = needs.database;
  const until = monotonicNow() + passMs;
  let delivered = 0;
  while (monotonicNow() < until) {
    const messages = await dueMessages(db, webhook.id, webhook.ordered, atOnce);
    if (messages.length === 0) break;
    const results = await Promise.all(
      messages.map(async (message) =>
        settle(needs, webhook, message, await send(needs, webhook, message)),
      ),
    );
    delivered += results.filter(Boolean).length;
    if (!results.every(Boolean))
      return { delivered, failed: results.length - results.filter(Boolean).length };
  }
  return { delivered, failed: 0 };
}

/** Records the result of a message. True if it was delivered. */
async function settle(
  { database: { db }, log }: Needs,
  webhook: Webhook,
  { id, attempts, createdAt }: WebhookMessage,
  judgement: Judgement,
): Promise<boolean> {
  if (judgement.kind === 'delivered') {
    await recordResult(db, id, { state: 'delivered' });
    return true;
  }
  const { reason: error } = judgement;
  const waited = judgement.kind === 'wait';
  const spent = waited ? attempts : attempts + 1;
  const waitMs = waited ? judgement.ms : waitAfter(spent);
  const dead = waitMs === undefined || Date.now() - createdAt.getTime() > longestWaitMs;
  await recordResult(db, id, {
    state: dead ? 'dead' : 'waiting',
    attempts: spent,
    waitMs: waitMs ?? 0,
    error,
  });
  await pauseWebhook(db, webhook.id, waited ? judgement.ms : restMs);
  if (dead)
    log.warn(
      { webhookId: webhook.id, messageId: id, reason: error },
      'a webhook message will not be retried: its attempts or its time are used up',
    );
  if (judgement.kind === 'gone') await disable({ db, webhook, reason: error });
  return false;
}

async function disable({
  db,
  webhook,
  reason,
}: {
  db: Resources['database']['db'];
  webhook: Webhook;
  reason: string;
}) {
  await db.transaction(async (tx) => {
    if (!(await disableWebhook(tx, webhook.id, reason))) return;
    const { id: webhookId, workspaceId } = webhook;
    const message = `A webhook was disabled: ${reason}`;
    await appendEvent(tx, 'NOTIFICATION', null, {
      message,
      webhookId,
      ...(workspaceId && { workspaceId }),
    });
  });
}
