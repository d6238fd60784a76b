import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts for storage; unreadable without the key. */
export interface Seal {
  seal(text: string): string;
  /** Throws when the text was sealed with another key or was modified. */
  open(sealed: string): string;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'millrace sealed texts', 32));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce);
      const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return `v1.${Buffer.concat([nonce, sealing.getAuthTag(), content]).toString('base64url')}`;
    },
    open(sealed) {
      if (!sealed.startsWith('v1.')) throw new Error('Not a sealed text');
      const bytes = Buffer.from(sealed.slice(3), 'base64url');
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
      opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([
        opening.update(bytes.subarray(nonceBytes + tagBytes)),
        opening.final(),
      ]).toString('utf8');
    },
  };
}
