import type { GovernorStore } from './store.ts';

export interface GovernorLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Falls back to a local store while the shared one fails: a lost Redis must not stop the work. */
export function withStandby(
  shared: GovernorStore,
  local: GovernorStore,
  log: GovernorLog,
): GovernorStore {
  let isLocal = false;

  async function ask<Result>(question: (store: GovernorStore) => Promise<Result>): Promise<Result> {
    try {
      const result = await question(shared);
      if (isLocal) log.info({}, 'Provider limits are shared between workers again.');
      isLocal = false;
      return result;
    } catch (err) {
      if (!isLocal)
        log.warn(
          { err },
          'Redis is unavailable: this process enforces provider limits on its own.',
        );
      isLocal = true;
      return question(local);
    }
  }

  return {
    admit: (provider, limits) => ask((store) => store.admit(provider, limits)),
    settle: (provider, limits, ending) => ask((store) => store.settle(provider, limits, ending)),
  };
}
