import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { callerFinder, isKeyText, parseKeyId } from '../../db/api-keys.ts';
import { callerOfSession, endSession, startSession } from '../../db/sessions.ts';
import { consolePages } from '../console/pages.ts';
import type { Routes } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { maskAddress } from '../mask-address.ts';
import { loggedInPage, loginPage } from '../pages/login.ts';
import {
  csrfToken,
  giveSession,
  isCsrf,
  isSameOrigin,
  readSessionCookie,
  sessionMs,
  takeSession,
} from '../session.ts';

/** Redirect target after login. Only our own pages, to prevent open redirects. */
const nextPage = z
  .string()
  .regex(new RegExp(`^/((admin|docs|${consolePages.join('|')})[\\w\\-/]*(\\?[\\w\\-=&%.]*)?)?$`))
  .catch('/');
const form = z.object({ key: z.string().trim().max(200).catch(''), next: nextPage });

/** Failed attempts per minute. The right key always gets in: others behind the same proxy may guess. */
const mostAttempts = 5;

/** By the part of the key that is no secret, and by the client's address. */
function attemptsName(req: Request, key: string): string {
  return `login ${maskAddress(req.ip ?? '')} ${isKeyText(key) ? parseKeyId(key) : ''}`;
}

function isForOperators(path: string): boolean {
  return path.startsWith('/admin');
}

/** Login for browsers: exchanges an API key for a session. */
export const login: Routes = ({ resources, counter }) => {
  const { db } = resources.database;
  const findCaller = callerFinder(db);
  const router = Router();
  const body = express.urlencoded({ extended: false, limit: '8kb' });

  router.get('/login', async (req, res) => {
    const token = readSessionCookie(req);
    const caller = token && (await callerOfSession(db, token));
    res.send(
      caller ? loggedInPage(caller, csrfToken(token)) : loginPage(nextPage.parse(req.query.next)),
    );
  });

  router.post('/login', body, async (req, res) => {
    if (!isSameOrigin(req)) throw crossSiteError();
    const { key, next } = form.parse(req.body ?? {});
    const caller = await findCaller(key);
    if (caller === undefined) {
      const wait = await counter.count(attemptsName(req, key), mostAttempts);
      if (wait === 0) return res.status(401).send(loginPage(next, 'The key is not valid.'));
      const page = loginPage(next, `Too many attempts. Try again in ${wait} s.`);
      return res.status(429).set('Retry-After', String(wait)).send(page);
    }
    if (caller === 'expired') return res.status(401).send(loginPage(next, 'The key has expired.'));
    await counter.reset(attemptsName(req, key));
    giveSession(req, res, await startSession(db, caller.keyId, sessionMs));
    res.redirect(303, isForOperators(next) && caller.role === 'user' ? '/' : next);
  });

  router.post('/logout', body, async (req, res) => {
    const token = readSessionCookie(req);
    if (token) {
      const given: unknown = req.body?.csrf;
      if (!isSameOrigin(req) || !isCsrf(token, given)) throw crossSiteError();
      await endSession(db, token);
      takeSession(req, res);
    }
    res.redirect(303, '/login');
  });

  return router;
};

function crossSiteError(): HttpError {
  return new HttpError('The request did not come from a Millrace page.', {
    status: 403,
    code: 'CSRF',
  });
}
