import { knownFileOmission, type Omission } from '../container.ts';
import type { Part } from './part.ts';
import { smallImageOmission } from './small-image.ts';

/** The reason why a MIME part does not become a document, if there is one. */
export async function findOmission(part: Part): Promise<Omission | undefined> {
  return (
    knownFileOmission(part.name) ??
    securityTypes.get(part.mediaType)?.(part) ??
    (part.begins.trimStart().startsWith(pgpMessage) ? encrypted('OpenPGP') : undefined) ??
    (part.begins.trim() === '' && part.bytes.length <= part.begins.length ? empty : undefined) ??
    (await smallImageOmission(part))
  );
}

const pgpMessage = '-----BEGIN PGP MESSAGE-----';

const empty: Omission = { kind: 'skipped', reason: 'The MIME part is empty' };
const encrypted = (how: string): Omission => ({
  kind: 'exception',
  reason: `The MIME part is encrypted (${how})`,
});
const signature = (): Omission => ({
  kind: 'skipped',
  reason: 'A digital signature, not a document',
});

/** DER encoding of the OID 1.2.840.113549.1.7.2 (signedData): signed, not encrypted. */
const signedData = Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]);
const smime = ({ bytes }: Part): Omission =>
  bytes.subarray(0, 64).includes(signedData)
    ? { kind: 'exception', reason: 'Opaque-signed content cannot be read (S/MIME)' }
    : encrypted('S/MIME');

const securityTypes: ReadonlyMap<string, (part: Part) => Omission> = new Map([
  ['application/pkcs7-mime', smime],
  ['application/x-pkcs7-mime', smime],
  ['application/pkcs7-signature', signature],
  ['application/x-pkcs7-signature', signature],
  ['application/pgp-signature', signature],
  [
    'application/pgp-encrypted',
    (): Omission => ({ kind: 'skipped', reason: 'PGP/MIME control data without content' }),
  ],
]);
