import { makeMessages } from '../db/webhook-messages.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { SECOND } from '../lib/time.ts';
import { sendDue } from '../webhooks/send-due.ts';

const batch = 1000;

/** Events go to the endpoints that want to hear of them, and again to those that could not be reached. */
export const sendWebhooks: IntervalJob = {
  everyMs: 1 * SECOND,
  async run(context) {
    for (let read = batch; read === batch; ) read = await makeMessages(context.database.db, batch);
    return sendDue(context);
  },
};
