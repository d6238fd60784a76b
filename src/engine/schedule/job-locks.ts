import type pg from 'pg';

export interface JobLocks {
  /** Runs while it holds the lock of this job. Undefined if a pass of the job is running. */
  hold<T>(job: string, run: () => Promise<T>): Promise<T | undefined>;
}

interface Session {
  opened: Promise<pg.PoolClient>;
  ask: (text: string, values: string[]) => Promise<boolean>;
  /** Passes that hold a lock of it or are about to. */
  users: number;
  /** Whether Postgres ends it after a silence. */
  isTimed: boolean;
  alive: NodeJS.Timeout;
}

const lock = `
select case when pg_try_advisory_lock(hashtext($1)) then set_config('idle_session_timeout', $2, false) else '' end <> '' as ours`;
const unlock =
  "select pg_advisory_unlock(hashtext($1)) as ours, set_config('idle_session_timeout', $2, false)";

/**
 * Locks across processes, all in one session: however many jobs run, they use one connection. A
 * session-level advisory lock lives as long as its session, and a session may outlive its process
 * by hours if the process is suspended or the connection is dead. So Postgres ends the session
 * after `silenceMs` without a query, and while passes run the session sends keep-alive queries.
 */
export function openJobLocks(pool: pg.Pool, silenceMs: number): JobLocks {
  // A session can take a lock of its own again, so passes in this process exclude each other here.
  const held = new Set<string>();
  let current: Session | undefined;

  const open = (): Session => {
    const opened = pool.connect();
    const ask = inTurn(async (text: string, values: string[]) => {
      const { rows } = await (await opened).query<{ ours: boolean }>(text, values);
      return rows[0]?.ours === true;
    });
    const beat = () => void ask('select 1', []).catch(() => undefined);
    return { opened, ask, users: 0, isTimed: false, alive: setInterval(beat, silenceMs / 4) };
  };
  const enter = (): Session => {
    current ??= open();
    current.users += 1;
    return current;
  };
  /** Passes that start from now on use another session: this one may be lost. */
  const forget = (session: Session): void => {
    if (current === session) current = undefined;
  };
  const leave = async (session: Session): Promise<void> => {
    session.users -= 1;
    if (session.users > 0) return;
    forget(session);
    clearInterval(session.alive);
    const client = await session.opened.catch(() => undefined);
    // A connection that Postgres would end while it is idle in the pool is closed now.
    client?.release(session.isTimed);
  };

  const ask = async (session: Session, text: string, values: string[]): Promise<boolean> => {
    try {
      return await session.ask(text, values);
    } catch (error) {
      forget(session);
      throw error;
    }
  };
  const withLock = async <T>(session: Session, key: string, run: () => Promise<T>) => {
    if (!(await ask(session, lock, [key, String(silenceMs)]))) return undefined;
    session.isTimed = true;
    try {
      return await run();
    } finally {
      const isLast = session.users === 1;
      await ask(session, unlock, [key, isLast ? '0' : String(silenceMs)]);
      if (isLast) session.isTimed = false;
    }
  };

  return {
    async hold(job, run) {
      if (held.has(job)) return undefined;
      held.add(job);
      const session = enter();
      try {
        return await withLock(session, `millrace:job:${job}`, run);
      } finally {
        held.delete(job);
        await leave(session);
      }
    },
  };
}

/** A connection runs one query at a time: each call starts when the one before has ended. */
function inTurn<Args extends unknown[], T>(call: (...args: Args) => Promise<T>) {
  let last: Promise<unknown> = Promise.resolve();
  return (...args: Args): Promise<T> => {
    const mine = last.then(() => call(...args));
    last = mine.catch(() => undefined);
    return mine;
  };
}
