import helmet from 'helmet';

const own = ["'self'"];

/** Only our own files, no inline code, and no string becomes markup or code. */
export const consolePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: own,
    styleSrc: own,
    imgSrc: own,
    connectSrc: own,
    formAction: own,
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
  },
});
