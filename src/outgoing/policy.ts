import { isIP } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';
import { addressFamily, isReserved, toBlockList } from './reserved.ts';

export interface OutgoingSettings {
  /** Hosts, addresses and networks that may be called on any port, even if they are private. */
  allow: readonly string[];
  /** Whether plain http is allowed. */
  insecure: boolean;
}

/** Which systems may be called. Prevents SSRF: URLs from callers must not reach our own network. */
export interface Policy {
  /** Parses a URL; throws if it may not be called. Names are checked again once they resolve. */
  check(url: string | URL): URL;
  /** Throws unless all addresses of a name may be called: one bad address would be a bypass. */
  checkAddresses(host: string, addresses: readonly string[]): void;
}

const allowHint = 'An operator can allow it with MILLRACE_OUTGOING_ALLOW.';

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
    if (bad !== undefined)
      throw forbidden(`${host} is on a private or reserved network. ${allowHint}`);
  };
  return {
    checkAddresses,
    check(text) {
      const url = parsed(text);
      const schemes = insecure ? ['https:', 'http:'] : ['https:'];
      if (!schemes.includes(url.protocol))
        throw forbidden(
          `Only ${schemes.map((each) => `${each}//`).join(' and ')} URLs are allowed.`,
        );
      if (url.username || url.password) throw forbidden('A URL must not contain credentials.');
      const host = plainHost(url);
      if (isIP(host)) checkAddresses(host, [host]);
      const isDefaultPort =
        url.port === '' || url.port === ports[url.protocol as keyof typeof ports];
      if (!isDefaultPort && !isAllowed(host))
        throw forbidden(`Port ${url.port} of ${host} is not allowed. ${allowHint}`);
      return url;
    },
  };
}

/** The host without IPv6 brackets and without the trailing dot of a full name. */
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
    throw new OutgoingError('FORBIDDEN', 'The URL is not valid.', { cause: error });
  }
}

function forbidden(message: string): OutgoingError {
  return new OutgoingError('FORBIDDEN', message);
}
