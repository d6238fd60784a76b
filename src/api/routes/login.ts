import express, { Router } from 'express';
import { z } from 'zod';
import { callerFinder } from '../../db/api-keys.ts';
import { callerOfSession, endSession, startSession } from '../../db/sessions.ts';
import type { Routes } from '../context.ts';
import { HttpError } from '../http-error.ts';
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

/** Where one may be sent after logging in: a page of ours. */
const nextPage = z
  .string()
  .regex(/^\/(admin|docs)[\w\-/]*$/)
  .catch('/admin/queues');
const form = z.object({ key: z.string().trim().max(200).catch(''), next: nextPage });

/** For people with a browser: the key once, then a session. */
export const login: Routes = ({ resources, attempts }) => {
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
    if (!isSameOrigin(req)) throw foreign();
    const { key, next } = form.parse(req.body ?? {});
    const address = req.socket.remoteAddress ?? '';
    const wait = await attempts.begin(address);
    if (wait > 0) {
      const said = loginPage(next, `Too many attempts. Try again in ${wait} s.`);
      return res.status(429).set('Retry-After', String(wait)).send(said);
    }
    const caller = await findCaller(key);
    if (!caller || caller.role === 'user') {
      const problem = caller
        ? 'These pages are for operators; this key is a user’s.'
        : 'The key is not valid.';
      return res.status(caller ? 403 : 401).send(loginPage(next, problem));
    }
    await attempts.succeed(address);
    giveSession(req, res, await startSession(db, caller.keyId, sessionMs));
    res.redirect(303, next);
  });

  router.post('/logout', body, async (req, res) => {
    const token = readSessionCookie(req);
    if (token) {
      const given: unknown = req.body?.csrf;
      if (!isSameOrigin(req) || !isCsrf(token, given)) throw foreign();
      await endSession(db, token);
      takeSession(req, res);
    }
    res.redirect(303, '/login');
  });

  return router;
};

function foreign(): HttpError {
  return new HttpError('The request does not come from a page of ours.', {
    status: 403,
    code: 'CSRF',
  });
}
