import { isIP } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';
import { addressFamily, isReserved, toBlockList } from './reserved.ts';

export interface OutgoingSettings {
  /** Hosts, addresses and networks that may be called although they are private, on any port. */
  allow: readonly string[];
  /** Whether plain http may be spoken. */
  insecure: boolean;
}

/** Whom we call at all. What callers give us as a URL is not to be trusted with our position in the network. */
export interface Policy {
  /** The URL, parsed; throws when it is not to be called. Names are judged again by the addresses they resolve to. */
  check(url: string | URL): URL;
  /** Throws unless every address that a name has may be called: one that does not count is a way around. */
  checkAddresses(host: string, addresses: readonly string[]): void;
}

const ports = { 'https:': '443', 'http:': '80' };

export function createPolicy({ allow, insecure }: OutgoingSettings): Policy {
  const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  const networks = toBlockList(allow.filter(isNetwork));
  const names = new Set(
    allow.filter((entry) => !isNetwork(entry)).map((name) => name.toLowerCase()),
  );
  const isAllowed = (host: string) =>
    names.has(host) || (isIP(host) !== 0 && networks.check(host, addressFamily(host)));
  const checkAddresses = (host: string, addresses: readonly string[]) => {
    if (isAllowed(host)) return;
    const bad = addresses.find((address) => isReserved(address) && !isAllowed(address));
    if (bad !== undefined) throw forbidden(`${host} is on a private or reserved network`);
  };
  return {
    checkAddresses,
    check(text) {
      const url = parsed(text);
      const schemes = insecure ? ['https:', 'http:'] : ['https:'];
      if (!schemes.includes(url.protocol))
        throw forbidden(`Only ${schemes.map((each) => `${each}//`).join(' and ')} is spoken`);
      if (url.username || url.password) throw forbidden('A URL must not hold credentials');
      const host = plainHost(url);
      if (isIP(host)) checkAddresses(host, [host]);
      const usual = url.port === '' || url.port === ports[url.protocol as keyof typeof ports];
      if (!usual && !isAllowed(host)) throw forbidden(`Port ${url.port} of ${host} is not allowed`);
      return url;
    },
  };
}

/** Without the brackets of an IPv6 address, and without the dot that ends a full name. */
export function plainHost({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function parsed(text: string | URL): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new OutgoingError('FORBIDDEN', 'That is no URL', { cause: error });
  }
}

function forbidden(message: string): OutgoingError {
  return new OutgoingError(
    'FORBIDDEN',
    `${message}. An operator may allow it with MILLRACE_OUTGOING_ALLOW.`,
  );
}
