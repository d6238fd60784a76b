import { type Request, Router } from 'express';
import type { Caller } from '../../db/api-keys.ts';
import { callerOfSession } from '../../db/sessions.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { opensPage } from '../middleware/authenticate.ts';
import { readSessionCookie, tellCsrf } from '../session.ts';
import { loadConsole } from './assets.ts';
import { consolePages } from './pages.ts';
import { consolePolicy } from './policy.ts';

const consolePath = new RegExp(`^/((${consolePages.join('|')})(/.*)?)?$`);

/** The web console: one HTML page for all of its paths, and its assets. */
export const webConsole: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();

  // Not a route: the paths belong to the router of the console, and to the API for other clients.
  router.use(async (req, res, next) => {
    if (!opensPage(req) || !consolePath.test(req.path)) return next();
    const token = readSessionCookie(req);
    const caller = token && (await callerOfSession(db, token));
    if (!caller) return res.redirect(303, `/login?next=${encodeURIComponent(req.originalUrl)}`);
    const { index } = await requireConsole();
    tellCsrf(req, res);
    consolePolicy(req, res, () => res.type('html').send(withCaller(index, caller)));
  });

  router.get('/assets/:name', async (req: Request<{ name: string }>, res) => {
    const asset = (await requireConsole()).assets.get(req.params.name);
    if (!asset) throw new NotFoundError(`There is no asset ${req.params.name}`);
    res.set({
      'Content-Type': asset.mediaType,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    if (!req.acceptsEncodings('gzip')) return res.send(asset.plain);
    res.set('Content-Encoding', 'gzip').send(asset.gzipped);
  });

  return router;
};

async function requireConsole() {
  const files = await loadConsole();
  if (files) return files;
  throw new HttpError('The console is not built.', {
    status: 503,
    code: 'NOT_SET_UP',
    hint: 'Run npm run build. The API is described at /docs.',
  });
}

/** Tells the page who is logged in. Role, key id and scopes contain no markup. */
function withCaller(index: string, { role, keyId, scopes }: Caller): string {
  const facts = encodeURIComponent(JSON.stringify({ role, keyId, scopes }));
  return index.replace(
    'name="millrace-caller" content=""',
    `name="millrace-caller" content="${facts}"`,
  );
}
