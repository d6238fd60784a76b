import type { Millrace, Schemas } from '../src/index.ts';

type Decide = (document: Schemas['Document']) => Record<string, unknown> | undefined;

/**
 * Claims documents in doubt one after the other. `decide` returns corrected values, or undefined to
 * reject the document. Returns the number of settled documents.
 */
export async function settleReviews(millrace: Millrace, decide: Decide): Promise<number> {
  for (let settled = 0; ; settled += 1) {
    const review = await millrace.call('claimNextReview');
    if (!review) return settled;
    const path = { id: review.id };
    const document = await millrace.call('getDocument', { path });
    const fields = decide(document);
    if (fields) await millrace.call('approveDocument', { path, body: { fields } });
    else await millrace.call('rejectDocument', { path, body: { reason: 'not usable' } });
  }
}
