import { knownFileOmission, type Omission } from '../container.ts';
import type { Part } from './part.ts';
import { smallImageOmission } from './small-image.ts';

/** Why a part becomes no document. */
export async function findOmission(part: Part): Promise<Omission | undefined> {
  return (
    knownFileOmission(part.name) ??
    wrappings.get(part.mediaType)?.(part) ??
    (part.begins.trimStart().startsWith(pgpMessage) ? encrypted('OpenPGP') : undefined) ??
    (part.begins.trim() === '' && part.bytes.length <= part.begins.length ? empty : undefined) ??
    (await smallImageOmission(part))
  );
}

const pgpMessage = '-----BEGIN PGP MESSAGE-----';

const empty: Omission = { kind: 'skipped', reason: 'It is empty' };
const encrypted = (how: string): Omission => ({
  kind: 'exception',
  reason: `It is encrypted (${how})`,
});
const signature = (): Omission => ({ kind: 'skipped', reason: 'A signature' });

/** Says in its first bytes, by the object identifier 1.2.840.113549.1.7.2, that it is signed and not encrypted. */
const signedData = Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]);
const smime = ({ bytes }: Part): Omission =>
  bytes.subarray(0, 64).includes(signedData)
    ? { kind: 'exception', reason: 'It is wrapped into its signature (S/MIME)' }
    : encrypted('S/MIME');

const wrappings: ReadonlyMap<string, (part: Part) => Omission> = new Map([
  ['application/pkcs7-mime', smime],
  ['application/x-pkcs7-mime', smime],
  ['application/pkcs7-signature', signature],
  ['application/x-pkcs7-signature', signature],
  ['application/pgp-signature', signature],
  [
    'application/pgp-encrypted',
    (): Omission => ({ kind: 'skipped', reason: 'Says only how the message is encrypted' }),
  ],
]);
