const table = Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});
const crc = (value: number, byte: number) =>
  ((table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)) >>> 0;

/** Encrypts an entry of a zip the traditional way (PKWARE). */
export function zipCrypto(bytes: Buffer, password: string, checksum: number): Buffer {
  let [a, b, c] = [0x12345678, 0x23456789, 0x34567890];
  const update = (byte: number) => {
    a = crc(a, byte);
    b = (Math.imul((b + (a & 0xff)) >>> 0, 134775813) + 1) >>> 0;
    c = crc(c, b >>> 24);
  };
  for (const byte of Buffer.from(password)) update(byte);
  const header = Buffer.alloc(12, 'x');
  header[11] = checksum >>> 24;
  return Buffer.concat([header, bytes]).map((byte) => {
    const key = (c | 2) & 0xffff;
    const stream = (Math.imul(key, key ^ 1) >>> 8) & 0xff;
    update(byte);
    return byte ^ stream;
  }) as Buffer;
}
