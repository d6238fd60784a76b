import type { Request } from 'express';

/** The file name of a raw body: `?name=`, `X-File-Name` or `Content-Disposition`. */
export function readFileName(req: Request): string | undefined {
  const { name } = req.query;
  if (typeof name === 'string' && name !== '') return name;
  return decoded(req.get('X-File-Name')) ?? dispositionName(req.get('Content-Disposition') ?? '');
}

/** RFC 6266: `filename*` (RFC 5987) is preferred, `filename` is a quoted string or a token. */
function dispositionName(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return decoded(extended) ?? decoded(quoted?.replace(/\\(.)/g, '$1') ?? token);
}

/** Node decodes headers as latin1. Restores UTF-8 and percent-encoded text where valid. */
function decoded(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const utf8 = Buffer.from(text, 'latin1').toString('utf8');
  const name = utf8.includes('\ufffd') ? text : utf8;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
