export interface RedisNode {
  host: string;
  port: number;
}

/** What `REDIS_URL` describes: one server, a Redis Cluster, or Sentinels that name the master. */
export type RedisAddress = {
  nodes: [RedisNode, ...RedisNode[]];
  tls: boolean;
  username?: string;
  password?: string;
  family?: 4 | 6;
} & (
  | { kind: 'single'; db: number }
  | { kind: 'cluster' }
  | {
      kind: 'sentinel';
      /** The name under which the Sentinels know the master. */
      master: string;
      db: number;
      sentinelUsername?: string;
      sentinelPassword?: string;
    }
);

type Common = Omit<RedisAddress, 'kind'>;

const shape =
  /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#]*)@)?([^/?#@]+)(\/[^?#]*)?(?:\?([^#]*))?$/;
const defaultPort = { server: 6379, sentinel: 26_379 };

/** Throws an error whose message completes "REDIS_URL: …". */
export function parseRedisUrl(text: string): RedisAddress {
  const [, scheme, named, login = '', hosts = '', path = '', query] = shape.exec(text) ?? [];
  if (!scheme)
    throw new Error(
      'must be redis://HOST:PORT, redis://HOST:PORT,HOST:PORT,… or redis+sentinel://HOST:PORT,…/MASTER (rediss for TLS)',
    );
  const [first, ...rest] = parseNodes(
    hosts,
    named === 'sentinel' ? defaultPort.sentinel : defaultPort.server,
  );
  if (!first) throw new Error('names no host');
  const kind = named ?? (rest.length > 0 ? 'cluster' : 'single');
  const options = parseOptions(query, kind);
  const common: Common = {
    nodes: [first, ...rest],
    tls: scheme === 'rediss',
    ...parseLogin(login),
    ...(options.family && { family: options.family === '6' ? 6 : 4 }),
  };
  const parts = path.split('/').slice(1).filter(Boolean).map(decode);
  if (kind === 'sentinel') return sentinelAddress(common, parts, options);
  if (kind === 'cluster') return clusterAddress(common, parts);
  if (rest.length > 0) throw new Error('names several servers');
  return { kind: 'single', ...common, db: parseDb(parts[0] ?? options.db) };
}

function sentinelAddress(
  common: Common,
  [master, db, ...more]: string[],
  { db: chosen, sentinel_username: user, sentinel_password: password }: Record<string, string>,
): RedisAddress {
  if (!master || more.length > 0)
    throw new Error('must end with the name of the master: redis+sentinel://HOST:PORT/MASTER');
  return {
    kind: 'sentinel',
    ...common,
    master,
    db: parseDb(db ?? chosen),
    ...(user && { sentinelUsername: user }),
    ...(password && { sentinelPassword: password }),
  };
}

function clusterAddress(common: Common, [db]: string[]): RedisAddress {
  if (db !== undefined && db !== '0')
    throw new Error('a Redis Cluster has no databases: leave out the number at the end');
  return { kind: 'cluster', ...common };
}

function parseNodes(hosts: string, port: number): RedisNode[] {
  return hosts.split(',').map((part) => {
    const [, name, digits] = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(part.trim()) ?? [];
    if (!name || Number(digits ?? port) > 65_535)
      throw new Error(`"${part}" is not a host and port`);
    return { host: name.replace(/^\[|\]$/g, ''), port: Number(digits ?? port) };
  });
}

function parseLogin(login: string): Pick<RedisAddress, 'username' | 'password'> {
  const colon = login.indexOf(':');
  const username = decode(colon < 0 ? login : login.slice(0, colon));
  const password = colon < 0 ? '' : decode(login.slice(colon + 1));
  return { ...(username && { username }), ...(password && { password }) };
}

const optionNames: Record<string, RegExp> = {
  single: /^(db|family)$/,
  cluster: /^family$/,
  sentinel: /^(db|family|sentinel_username|sentinel_password)$/,
};

/** An option that is not understood would otherwise be ignored silently. */
function parseOptions(query = '', kind: string): Record<string, string> {
  const options = Object.fromEntries(new URLSearchParams(query));
  for (const [name, value] of Object.entries(options)) {
    if (!optionNames[kind]?.test(name)) throw new Error(`has an unknown option "${name}"`);
    if (name === 'family' && !/^[46]$/.test(value)) throw new Error('family must be 4 or 6');
  }
  return options;
}

function parseDb(text = '0'): number {
  if (!/^\d{1,4}$/.test(text)) throw new Error(`"${text}" is not the number of a database`);
  return Number(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a "%" that is not followed by two hexadecimal digits; write it as %25');
  }
}
