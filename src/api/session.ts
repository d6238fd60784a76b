import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { HOUR } from '../lib/time.ts';

const name = 'millrace_session';
export const sessionMs = 12 * HOUR;

/** The session token that the browser of a logged-in user sends automatically. */
export function readSessionCookie({ headers: { cookie = '' } }: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?:;|$)`).exec(cookie)?.[1];
}

export function giveSession(req: Request, res: Response, token: string): void {
  res.cookie(name, token, { ...attributes(req), maxAge: sessionMs });
}

export function takeSession(req: Request, res: Response): void {
  res.clearCookie(name, attributes(req));
  res.clearCookie('XSRF-TOKEN', attributes(req));
}

/**
 * Not readable by scripts, not sent by other sites. Behind a proxy that terminates TLS the header
 * decides; forging it can only make the cookie stricter.
 */
function attributes(req: Request) {
  const secure = req.secure || req.headers['x-forwarded-proto'] === 'https';
  return { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const;
}

/** Required for changes made with a session cookie. Only our own pages reveal it. */
export function csrfToken(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** The CSRF token of a request. Bull Board copies the cookie below into the second header. */
export function csrfIn({ headers }: Request): unknown {
  return headers['x-csrf-token'] ?? headers['x-xsrf-token'];
}

/** Exposes the CSRF token to scripts on our own pages; other sites cannot read the cookie. */
export function tellCsrf(req: Request, res: Response): void {
  const token = readSessionCookie(req);
  if (token) res.cookie('XSRF-TOKEN', csrfToken(token), { ...attributes(req), httpOnly: false });
}

export function isCsrf(token: string, given: unknown): boolean {
  const expected = Buffer.from(csrfToken(token));
  const found = Buffer.from(typeof given === 'string' ? given : '');
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** Browsers always send the origin of a request; other clients send none and pass. */
export function isSameOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}
