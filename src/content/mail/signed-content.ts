/** DER encoding of the OID 1.2.840.113549.1.7.2 (signedData): signed, not encrypted. */
const signedData = Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]);
const tags = { octets: 0x04, oid: 0x06, sequence: 0x30, octetParts: 0x24, explicit: 0xa0 };
/** Signed data has about ten levels. */
const maxDepth = 20;

export function isSignedData(bytes: Buffer): boolean {
  return bytes.subarray(0, 64).includes(signedData);
}

/**
 * The content inside signed data (CMS, RFC 5652): ContentInfo → SignedData → EncapsulatedContentInfo.
 * The signature is not verified.
 */
export function unwrapSignedData(bytes: Buffer): Buffer | undefined {
  const info = childrenOf(bytes)[0];
  const [type, wrapped] = info?.tag === tags.sequence ? childrenOf(info.content) : [];
  if (!type || !wrapped || !type.content.equals(signedData)) return undefined;
  const fields = childrenOf(childrenOf(wrapped.content)[0]?.content ?? Buffer.alloc(0));
  // Version, algorithms, then the content with its type; certificates follow.
  const inner = fields
    .filter(({ tag }) => tag === tags.sequence)
    .map(({ content }) => childrenOf(content))
    .find(([first]) => first?.tag === tags.oid);
  const explicit = inner?.[1];
  if (explicit?.tag !== tags.explicit) return undefined;
  const octets = childrenOf(explicit.content)[0];
  return octets && joinOctets(octets, 0);
}

interface Element {
  tag: number;
  content: Buffer;
  /** Where the next element begins. */
  end: number;
}

/** A long string may be split into parts. */
function joinOctets({ tag, content }: Element, depth: number): Buffer | undefined {
  if (tag === tags.octets) return content;
  if (tag !== tags.octetParts || depth > maxDepth) return undefined;
  const parts = childrenOf(content).flatMap((part) => joinOctets(part, depth + 1) ?? []);
  return Buffer.concat(parts);
}

function childrenOf(bytes: Buffer): Element[] {
  const children: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at, 0);
    if (!element || isEnd(bytes, at)) break;
    children.push(element);
    at = element.end;
  }
  return children;
}

function readElement(bytes: Buffer, at: number, depth: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || depth > maxDepth) return undefined;
  if (first === 0x80) return readIndefinite(bytes, at, tag, depth);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 6 || at + 2 + lengthBytes > bytes.length) return undefined;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  return { tag, content: bytes.subarray(start, start + length), end: start + length };
}

/** An element without a length ends with two zero bytes after its last child. */
function readIndefinite(bytes: Buffer, at: number, tag: number, depth: number): Element {
  const start = at + 2;
  let end = start;
  while (end < bytes.length && !isEnd(bytes, end)) {
    const child = readElement(bytes, end, depth + 1);
    if (!child) break;
    end = child.end;
  }
  return { tag, content: bytes.subarray(start, end), end: end + 2 };
}

function isEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0;
}
