import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { HOUR } from '../lib/time.ts';

const name = 'millrace_session';
export const sessionMs = 12 * HOUR;

/** What the browser of a person who logged in sends along by itself. */
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

/** Out of reach for scripts and for other sites. Behind a proxy that ends TLS the header decides; forging it only narrows. */
function attributes(req: Request) {
  const secure = req.secure || req.headers['x-forwarded-proto'] === 'https';
  return { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const;
}

/** Whoever asks for a change with a cookie must also know this, which only our own pages tell. */
export function csrfToken(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** Where a request carries it: the second header is what the board takes from the cookie below. */
export function csrfIn({ headers }: Request): unknown {
  return headers['x-csrf-token'] ?? headers['x-xsrf-token'];
}

/** For scripts of our own pages, which other sites cannot read. */
export function tellCsrf(req: Request, res: Response): void {
  const token = readSessionCookie(req);
  if (token) res.cookie('XSRF-TOKEN', csrfToken(token), { ...attributes(req), httpOnly: false });
}

export function isCsrf(token: string, given: unknown): boolean {
  const expected = Buffer.from(csrfToken(token));
  const found = Buffer.from(typeof given === 'string' ? given : '');
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** Browsers say by themselves where a request comes from; what is no browser says nothing. */
export function isSameOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}
