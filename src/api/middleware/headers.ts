import type { RequestHandler } from 'express';
import helmet from 'helmet';

export const security = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // The board styles its elements in place.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** Answers hold documents: no cache on the way keeps them. */
export const noStore: RequestHandler = (_, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
