import { createHash } from 'node:crypto';

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** The keystream of RC4: OpenSSL no longer offers it. */
function keystream(key: Buffer): () => number {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) % 256;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return () => {
    i = (i + 1) % 256;
    j = (j + (state[i] ?? 0)) % 256;
    swap(i, j);
    return state[((state[i] ?? 0) + (state[j] ?? 0)) % 256] ?? 0;
  };
}

/** The encryption of Office 97: RC4 with a new key for each block of a stream. */
export class OfficeRc4 {
  readonly #salt = Buffer.alloc(16, 's');
  readonly #base: Buffer;

  constructor(password: string) {
    const hash = md5(Buffer.from(password, 'utf16le')).subarray(0, 5);
    const salted = Array.from({ length: 16 }, () => [hash, this.#salt]).flat();
    this.#base = md5(...salted).subarray(0, 5);
  }

  /** Version, salt, verifier and its hash. */
  header(): Buffer {
    const verifier = Buffer.alloc(16, 'v');
    const encrypted = this.encrypt(Buffer.concat([verifier, md5(verifier)]), 512, () => true);
    return Buffer.concat([Buffer.from([1, 0, 1, 0]), this.#salt, encrypted]);
  }

  /** Encrypts the bytes of a stream at the places that are to be encrypted. */
  encrypt(stream: Buffer, blockBytes: number, isSecret: (at: number) => boolean): Buffer {
    let next = () => 0;
    return Buffer.from(
      stream.map((byte, at) => {
        if (at % blockBytes === 0) next = keystream(this.#key(at / blockBytes));
        const mask = next();
        return isSecret(at) ? byte ^ mask : byte;
      }),
    );
  }

  #key(block: number): Buffer {
    const number = Buffer.alloc(4);
    number.writeUInt32LE(block);
    return md5(this.#base, number);
  }
}
