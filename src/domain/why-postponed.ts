import type { Circumstances, ProviderHolds, WaitingTask, Why } from './circumstances.ts';
import { explainHeld, type Held } from './held.ts';

/** Not due yet: an external service was busy, or an attempt failed. */
export function whyPostponed({ ingestion, providers }: Circumstances, task: WaitingTask): Why {
  const { stage, lane, notBefore, giveUpAt, lastError, attempts } = task;
  const since = task.startedAt ?? ingestion.createdAt;
  const at = notBefore.toISOString();
  if (task.held) return outOfMoney(task, task.held, since);
  if (!lastError)
    return {
      reason: 'postponed',
      stage,
      lane,
      since,
      until: notBefore,
      message: `Scheduled to start at ${at}.`,
    };
  const next = `the next try is at ${at}, the last at ${giveUpAt.toISOString()}`;
  if (lastError.code === 'STORAGE_UNAVAILABLE') {
    const message = `${clause(lastError.message)}; ${next}. The document continues by itself.`;
    return { reason: 'storage-unavailable', stage, lane, since, until: giveUpAt, message };
  }
  if (lastError.code !== 'BUSY') {
    const failure = `Attempt ${attempts} failed with ${lastError.code}: ${clause(lastError.message)}`;
    const message = `${failure}. The next attempt starts at ${at}.`;
    return { reason: 'retry', stage, lane, since, until: notBefore, message };
  }
  const held = providers.find(({ provider }) =>
    squeeze(lastError.message).includes(squeeze(provider)),
  );
  const hold = held && holds.find(([, until]) => held[until]);
  const reason = hold?.[0] ?? 'postponed';
  const cause = held && hold ? hold[2](held.provider) : clause(lastError.message);
  const message = `${cause}; ${next}.`;
  return { reason, stage, lane, since, until: giveUpAt, message };
}

type Hold = [Why['reason'], keyof Omit<ProviderHolds, 'provider'>, (provider: string) => string];

const holds: Hold[] = [
  [
    'breaker-open',
    'brokenUntil',
    (provider) => `Calls to ${provider} are suspended after repeated failures`,
  ],
  ['provider-paused', 'pausedUntil', (provider) => `${provider} asked callers to slow down`],
  [
    'rate-limit',
    'budgetUntil',
    (provider) => `The requests per minute for ${provider} are used up`,
  ],
];

/** A daily budget renews at midnight UTC. The cost limit of a batch changes only by hand. */
function outOfMoney({ stage, lane, notBefore }: WaitingTask, held: Held, since: Date): Why {
  const until = held.reason === 'daily-budget' ? notBefore : null;
  const on = until
    ? `at ${until.toISOString()}, or as soon as the limit is raised`
    : 'as soon as the limit is raised';
  return {
    reason: 'budget',
    stage,
    lane,
    since,
    until,
    message: `${explainHeld(held)}. Processing continues ${on}.`,
  };
}

/** A message as part of a longer sentence. */
export const clause = (message: string): string => message.replace(/\.$/, '');

/** Providers are spelled in several ways: `documentai` and "Document AI" are the same. */
const squeeze = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
