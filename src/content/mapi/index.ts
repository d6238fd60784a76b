import type { Format } from '../format.ts';
import { onePage } from '../office/pages.ts';
import { listRootNames } from '../ole/root-names.ts';

const msg = 'application/vnd.ms-outlook';
const tnef = 'application/vnd.ms-tnef';

/** Messages as Outlook saves them (MSG) and as Exchange wraps them (TNEF, `winmail.dat`). */
export const outlookMessage: Format = {
  title: 'Outlook message',
  types: { [msg]: ['msg', 'oft'], [tnef]: ['tnef', 'dat'] },
  accepts: async ({ head, file }) => {
    if (head.toString('hex', 0, 4) === tnefMagic) return tnef;
    if (head.toString('hex', 0, 8) !== compoundMagic) return undefined;
    return (await listRootNames(await file())).includes('__properties_version1.0')
      ? msg
      : undefined;
  },
  holds: async ({ head, file }) =>
    head.toString('hex', 0, 4) === tnefMagic ||
    (await listRootNames(await file())).some((name) => name.startsWith('__attach')),
  inspect: async () => onePage,
  text: async (input) => (await import('./text.ts')).readOutlookText(input),
  metadata: async (input) => (await import('./metadata.ts')).readOutlookMetadata(input),
  async *unpack(input) {
    yield* (await import('./unpack.ts')).unpackOutlook(input);
  },
};

const tnefMagic = '789f3e22';
const compoundMagic = 'd0cf11e0a1b11ae1';
