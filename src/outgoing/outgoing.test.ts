import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../test/kit/certificate.ts';
import { type OutgoingOptions, openOutgoing } from './index.ts';

function open(options: Partial<OutgoingOptions> = {}) {
  const outgoing = openOutgoing({ allow: [], insecure: false, ...options });
  onTestFinished(() => outgoing.close());
  return outgoing;
}

/** Resolves every name to all of these addresses. */
function resolving(...addresses: string[]): NonNullable<OutgoingOptions['resolve']> {
  return (_, __, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

async function serve(listener: RequestListener, tls?: { key: string; cert: string }) {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('addresses that are not called', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'https://example.com:6379/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://１２７.０.０.１/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:0:a9fe:a9fe]/',
    'https://[2001:10::1]/',
    'https://[2001:2f::1]/',
    'https://[3fff:fff::1]/',
    'https://[5f00::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[ff02::1]/',
    'not a url',
  ])('%s', (url) => {
    expect(() => open().check(url)).toThrow(expect.objectContaining({ fault: 'FORBIDDEN' }));
  });

  test.each([
    ['localhost.', ['127.0.0.1']],
    ['metadata.internal', ['169.254.169.254']],
    ['half.example', ['93.184.216.34', '10.0.0.1']],
    ['mapped.example', ['::ffff:10.0.0.1']],
    ['six.example', ['fd00::1']],
  ])('%s, by what it resolves to', async (host, addresses) => {
    const call = open({ resolve: resolving(...addresses) }).send({
      method: 'GET',
      url: `https://${host}/`,
    });
    await expect(call).rejects.toMatchObject({ fault: 'FORBIDDEN' });
  });

  test('public ones are', () => {
    expect(open().check('https://example.com/hook').href).toBe('https://example.com/hook');
    expect(open().check('https://93.184.216.34/').hostname).toBe('93.184.216.34');
  });
});

describe('a call', () => {
  const local = { allow: ['127.0.0.0/8', 'manager.test'], insecure: true };

  test('goes to the address that was checked: a name is resolved once a connection', async () => {
    let resolved = 0;
    const port = await serve((req, res) => res.end(`${req.method} ${req.headers.host}`));
    const outgoing = open({
      ...local,
      resolve: (host, options, done) => {
        resolved += 1;
        resolving('127.0.0.1')(host, options, done);
      },
    });
    const { status, body } = await outgoing.send({
      method: 'GET',
      url: `http://manager.test:${port}/`,
    });
    expect([status, body.toString()]).toEqual([200, `GET manager.test:${port}`]);
    expect(resolved).toBe(1);
  });

  test('does not follow redirects', async () => {
    const port = await serve((_, res) =>
      res.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const { status, header } = await open(local).send({
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
    });
    expect([status, header('location')]).toEqual([302, 'http://169.254.169.254/']);
  });

  test('stops reading an endless answer', async () => {
    const port = await serve((_, res) => {
      const more = () => {
        while (res.write(Buffer.alloc(65_536)));
      };
      res.on('drain', more);
      more();
    });
    const call = open(local).send({ method: 'GET', url: `http://127.0.0.1:${port}/` });
    await expect(call).rejects.toMatchObject({ fault: 'TOO_LARGE' });
  });

  test('does not wait for ever', async () => {
    const port = await serve(() => undefined);
    const call = open(local).send({
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      timeoutMs: 50,
    });
    await expect(call).rejects.toMatchObject({ fault: 'TOO_SLOW' });
  });

  test('wants a certificate it can trust', async () => {
    const certificate = selfSigned('manager.test');
    const port = await serve((_, res) => res.end('hello'), certificate);
    const request = { method: 'GET', url: `https://manager.test:${port}/` } as const;
    const resolve = resolving('127.0.0.1');
    await expect(open({ ...local, resolve }).send(request)).rejects.toMatchObject({
      fault: 'BAD_CERTIFICATE',
    });
    const trusting = open({ ...local, resolve, ca: certificate.cert });
    expect((await trusting.send(request)).body.toString()).toBe('hello');
  });

  test('says when nobody is there', async () => {
    const port = await serve(() => undefined);
    const call = open({
      ...local,
      resolve: (_, __, done) => done(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    });
    await expect(
      call.send({ method: 'GET', url: `http://manager.test:${port}/` }),
    ).rejects.toMatchObject({
      fault: 'UNREACHABLE',
      message: `manager.test:${port} cannot be reached (ENOTFOUND)`,
    });
  });

  test('takes the answer of a receiver that does not read on', async () => {
    const port = await serve((_, res) => {
      res.writeHead(413, { connection: 'close' }).end('too large');
    });
    const chunk = Buffer.alloc(65_536);
    const chunks = 200;
    const body = Readable.from(Array.from({ length: chunks }, () => chunk));
    const headers = { 'content-length': String(chunk.length * chunks) };
    const answer = await open(local).send({
      method: 'POST',
      url: `http://127.0.0.1:${port}/`,
      headers,
      body,
    });
    expect([answer.status, answer.body.toString()]).toEqual([413, 'too large']);
  });
});
