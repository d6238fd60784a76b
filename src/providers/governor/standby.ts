import type { GovernorStore } from './store.ts';

export interface GovernorLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Asks the shared store, and while that cannot be asked a local one: a lost Redis must not stop the work. */
export function withStandby(
  shared: GovernorStore,
  local: GovernorStore,
  log: GovernorLog,
): GovernorStore {
  let alone = false;

  async function ask<Result>(question: (store: GovernorStore) => Promise<Result>): Promise<Result> {
    try {
      const result = await question(shared);
      if (alone) log.info({}, 'Provider limits are shared between workers again.');
      alone = false;
      return result;
    } catch (err) {
      if (!alone)
        log.warn({ err }, 'Redis cannot be asked: this process keeps provider limits on its own.');
      alone = true;
      return question(local);
    }
  }

  return {
    admit: (provider, limits) => ask((store) => store.admit(provider, limits)),
    settle: (provider, limits, ending) => ask((store) => store.settle(provider, limits, ending)),
  };
}
