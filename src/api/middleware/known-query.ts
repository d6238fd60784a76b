import type { RequestHandler } from 'express';
import { UsageError } from '../../errors.ts';
import type { Operation } from '../openapi/operation.ts';

/**
 * Rejects query parameters that the operation does not have: a misspelled filter would otherwise
 * return everything.
 */
export function knownQuery(operations: readonly Operation[]): RequestHandler {
  // `/v1/documents/export` before `/v1/documents/{id}`.
  const literalFirst = operations.toSorted((a, b) => variables(a.path) - variables(b.path));
  const known = literalFirst.map(({ method, path, query }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    names: Object.keys(query?.shape ?? {}),
  }));
  return (req, _, next) => {
    const asked = Object.keys(req.query);
    if (asked.length === 0) return next();
    const path = req.baseUrl + req.path;
    const operation = known.find(
      ({ method, pattern }) => method === req.method && pattern.test(path),
    );
    const unknown = operation && asked.find((name) => !operation.names.includes(name));
    if (unknown === undefined) return next();
    throw new UsageError(
      `There is no query parameter "${unknown}".`,
      operation?.names.length
        ? `Choose from ${operation.names.join(', ')}.`
        : 'This operation has none.',
    );
  };
}

function variables(path: string): number {
  return path.split('{').length;
}
