import type { Request, Response } from 'express';

/**
 * Lets browsers keep a response and ask each time whether it is still valid: so a document that was
 * deleted, or a key that was revoked, is never answered from a cache. Proxies may not keep it.
 * Returns true if the caller has it already; the response is sent then.
 */
export function isUnchanged(req: Request, res: Response, etag: string): boolean {
  res.set({ ETag: `"${etag}"`, 'Cache-Control': 'private, no-cache' });
  res.vary('Authorization').vary('Cookie');
  if (!hasTag(req, etag)) return false;
  res.status(304).end();
  return true;
}

/** Not `req.fresh`: fetch adds `Cache-Control: no-cache` to every request with this header. */
function hasTag(req: Request, etag: string): boolean {
  const tags = req.get('If-None-Match')?.split(',') ?? [];
  return tags.some((tag) => ['*', `"${etag}"`].includes(tag.trim().replace(/^W\//, '')));
}
