import type { Format } from '../format.ts';

const types = {
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.text-template': ['ott'],
  'application/vnd.oasis.opendocument.text-master': ['odm'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.spreadsheet-template': ['ots'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/vnd.oasis.opendocument.presentation-template': ['otp'],
  'application/vnd.oasis.opendocument.graphics': ['odg'],
  'application/vnd.oasis.opendocument.formula': ['odf'],
};

export const odf: Format = {
  title: 'OpenDocument',
  types,
  accepts: ({ head }) => declaredType(head),
  inspect: async (input) => (await import('./read.ts')).inspectOdf(input),
  text: async (input) => (await import('./read.ts')).readOdf(input),
  metadata: async (input) => (await import('./metadata.ts')).readOdfMetadata(input),
};

/** The first entry of the archive is named `mimetype` and stored uncompressed. */
function declaredType(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 256);
  const type =
    /^PK[\s\S]{28}mimetype[\s\S]{0,40}?(application\/vnd\.oasis\.opendocument[\w.-]+)/.exec(
      start,
    )?.[1];
  return Object.keys(types)
    .toSorted((a, b) => b.length - a.length)
    .find((known) => type?.startsWith(known));
}
