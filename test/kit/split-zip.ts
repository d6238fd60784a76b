import { crc32 } from 'node:zlib';

/** A zip of two volumes: `.z01`, and `.zip` with the rest of the entry and the directory. */
export function splitZipOf(name: string, body: string): { z01: Buffer; zip: Buffer } {
  const bytes = Buffer.from(body);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(bytes.length, 14);
  common.writeUInt32LE(bytes.length, 18);
  common.writeUInt16LE(name.length, 22);
  const mark = Buffer.from('PK\x07\x08');
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name)]);
  const half = Math.floor(bytes.length / 2);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(mark.length, 10);
  const entry = [Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, Buffer.from(name)];
  const directory = Buffer.concat(entry);
  const end = Buffer.alloc(18);
  for (const [value, at] of [
    [1, 0],
    [1, 2],
    [1, 4],
    [1, 6],
  ] as const)
    end.writeUInt16LE(value, at);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(bytes.length - half, 12);
  return {
    z01: Buffer.concat([mark, local, bytes.subarray(0, half)]),
    zip: Buffer.concat([bytes.subarray(half), directory, Buffer.from('PK\x05\x06'), end]),
  };
}
