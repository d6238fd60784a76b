import { crc32, deflateRawSync } from 'node:zlib';
import { zipCrypto } from './zip-crypto.ts';

export interface ZipEntry {
  name: string;
  body?: string | Buffer;
  stored?: boolean;
  /** Unix mode, for example of a symbolic link. */
  mode?: number;
  /** Encrypts it. */
  password?: string;
  flags?: number;
  method?: number;
  /** False metadata written to the archive. */
  says?: { bytes?: number; checksum?: number; offset?: number };
}

/** An archive with these entries, including malformed ones that no genuine program would write. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, body = '', stored = false, mode = 0o100644, says = {} } = entry;
    const plain = Buffer.from(body);
    const deflated = stored ? plain : deflateRawSync(plain);
    const { password } = entry;
    const packed = password ? zipCrypto(deflated, password, crc32(plain)) : deflated;
    const raw = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((entry.flags ?? 0) | 0x800 | (password ? 1 : 0), 2);
    common.writeUInt16LE(entry.method ?? (stored ? 0 : 8), 4);
    common.writeUInt32LE(says.checksum ?? crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says.bytes ?? plain.length, 18);
    common.writeUInt16LE(raw.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, raw, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(says.offset ?? offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, raw);
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}
