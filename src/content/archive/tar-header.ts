const headerBytes = 512;
const checksum = { at: 148, bytes: 8 };

/** Recognises a tar by the checksum of its first header; old ones have no other mark. */
export function isTar(head: Buffer): boolean {
  if (head.length < headerBytes || head[0] === 0) return false;
  const written = head.toString('latin1', checksum.at, checksum.at + checksum.bytes);
  const [, octal] = /^\s*([0-7]+)[\s\0]*$/.exec(written) ?? [];
  if (octal === undefined) return false;
  const expected = Number.parseInt(octal, 8);
  return expected === sum(head, (byte) => byte) || expected === sum(head, signed);
}

/** Some old programs added signed bytes. */
const signed = (byte: number): number => (byte < 0x80 ? byte : byte - 0x100);

/** The checksum itself counts as spaces. */
function sum(head: Buffer, toValue: (byte: number) => number): number {
  let total = 0;
  for (let at = 0; at < headerBytes; at += 1) {
    const isChecksum = at >= checksum.at && at < checksum.at + checksum.bytes;
    total += isChecksum ? 0x20 : toValue(head[at] ?? 0);
  }
  return total;
}
