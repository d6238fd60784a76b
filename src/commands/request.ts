import { UsageError } from '../errors.ts';

/** A request with a JSON body. */
export function post(body: object, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
}

/** Parses `name=value` arguments; `true` and `false` become booleans. */
export function pairs(texts: readonly string[]): Record<string, string | boolean> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`"${text}" is not a setting`, 'Write it as name=value.');
      const value = text.slice(at + 1);
      return [text.slice(0, at), value === 'true' || value === 'false' ? value === 'true' : value];
    }),
  );
}
