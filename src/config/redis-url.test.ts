import { expect, test } from 'vitest';
import { parseRedisUrl } from './redis-url.ts';

const [a, b] = [
  { host: 'a', port: 7000 },
  { host: 'b', port: 7001 },
];

test.each([
  ['redis://a:7000', { kind: 'single', nodes: [a], tls: false, db: 0 }],
  ['redis://a', { kind: 'single', nodes: [{ host: 'a', port: 6379 }], tls: false, db: 0 }],
  ['redis://[::1]:7000/2', { kind: 'single', nodes: [{ host: '::1', port: 7000 }], db: 2 }],
  ['redis://:p%40ss@a:7000?family=6', { kind: 'single', password: 'p@ss', family: 6 }],
  ['rediss://user:a:b@a:7000', { kind: 'single', tls: true, username: 'user', password: 'a:b' }],
  ['redis://a:7000,b:7001', { kind: 'cluster', nodes: [a, b], tls: false }],
  ['rediss+cluster://u:p@a:7000', { kind: 'cluster', nodes: [a], tls: true, username: 'u' }],
  [
    'redis+sentinel://u:p@a,b:7001/mymaster?sentinel_password=s',
    {
      kind: 'sentinel',
      nodes: [{ host: 'a', port: 26_379 }, b],
      master: 'mymaster',
      db: 0,
      username: 'u',
      password: 'p',
      sentinelPassword: 's',
    },
  ],
  ['rediss+sentinel://a/main/3', { kind: 'sentinel', tls: true, master: 'main', db: 3 }],
])('%s', (text, expected) => {
  expect(parseRedisUrl(text)).toMatchObject(expected);
});

test('a login that is not there is not an empty one', () => {
  expect(parseRedisUrl('redis://a')).not.toHaveProperty('username');
  expect(parseRedisUrl('redis://:p@a')).not.toHaveProperty('username');
});

test.each([
  ['http://a', 'must be redis://'],
  ['redis://', 'must be redis://'],
  ['redis://a:7000,,b', 'is not a host and port'],
  ['redis://a:99999', 'is not a host and port'],
  ['redis://a,b/1', 'has no databases'],
  ['redis+sentinel://a:26379', 'must end with the name of the master'],
  ['redis://a/x', 'is not the number of a database'],
  ['redis://a?tls=true', 'unknown option "tls"'],
  ['redis://:100%@a', 'write it as %25'],
])('%s is refused', (text, message) => {
  expect(() => parseRedisUrl(text)).toThrow(message);
});
