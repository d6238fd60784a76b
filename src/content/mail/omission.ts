import { knownFileOmission, type Omission } from '../container.ts';
import type { Part } from './part.ts';
import { isSignedData } from './signed-content.ts';
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

/** Signed content that could be unwrapped is a message, not a part of this type. */
const smime = ({ bytes }: Part): Omission =>
  isSignedData(bytes)
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
