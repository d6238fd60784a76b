import pg from 'pg';
import { setLimits } from './limits.ts';

type Send = (...args: unknown[]) => unknown;

/**
 * A connection behind a transaction pooler. Statements are not prepared by name, and each
 * transaction sets its own limits: the next one may run on another connection of the server.
 */
export class StatelessClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send: Send = this.query.bind(this);
    const query: Send = (statement, ...rest) => send(withoutState(statement), ...rest);
    this.query = query as typeof this.query;
  }
}

function withoutState(statement: unknown): unknown {
  if (typeof statement === 'string') return withLimits(statement);
  if (!isConfig(statement)) return statement;
  const { name: _, ...config } = statement;
  return { ...config, text: withLimits(config.text) };
}

/** One message, so that the limits cost no round trip. */
function withLimits(text: string): string {
  return /^begin\b/i.test(text) ? `${text}; ${setLimits('local')}` : text;
}

/** Not an object that submits itself, such as a cursor. */
function isConfig(statement: unknown): statement is pg.QueryConfig {
  return typeof statement === 'object' && statement !== null && !('submit' in statement);
}
