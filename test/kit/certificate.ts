import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A self-signed certificate for this name, valid for one day. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const subject = sequence(
    der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))),
  );
  const validity = sequence(time(Date.now() - 60_000), time(Date.now() + 86_400_000));
  // subjectAltName: a DNS name.
  const altNames = sequence(
    oid(0x55, 0x1d, 0x11),
    der(0x04, sequence(der(0x82, Buffer.from(name)))),
  );
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(altNames)),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const certificate = sequence(
    body,
    algorithm,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer) => der(0x02, bytes);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const time = (at: number) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(at)
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );
