import { expect, test } from 'vitest';
import { runMailbox } from '../chaos/mailbox/trial.ts';

test('a mailbox whose worker is killed twice gives every message exactly once', {
  timeout: 600_000,
}, async () => {
  const messages = 300;
  const result = await runMailbox({ messages, kills: 2, onProgress: () => undefined });
  expect(result).toMatchObject({
    killed: 2,
    messages,
    subjects: messages,
    attachments: 3,
    completed: messages + 3 + 1,
    failed: 0,
    unbalanced: 0,
    checkCode: 0,
  });
  expect(result.largestMb).toBeLessThan(1024);
});
