import type { RequestHandler } from 'express';
import helmet from 'helmet';

export const security = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // Bull Board uses inline styles.
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

/** Responses contain documents, so caches must not store them. */
export const noStore: RequestHandler = (_, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
