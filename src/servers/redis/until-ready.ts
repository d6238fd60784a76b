import type { RedisAddress, RedisNode } from '../../config/redis-url.ts';
import { SetupError } from '../../errors.ts';
import type { RedisClient } from '../../lib/redis-client.ts';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';

const timeoutMs = 10 * SECOND;

/** Authentication errors, which a retry cannot fix. */
const refusal = /^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH|ERR Client sent AUTH)/;

/** Codes of OpenSSL for certificates without a known authority. */
const untrusted = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

/** Waits until a connection can be used. Reports a server that is away and a refused login. */
export async function untilReady(
  client: RedisClient,
  { address }: { address: RedisAddress },
  node?: RedisNode,
): Promise<void> {
  const where = node ? nameNodes([node]) : nameNodes(address.nodes);
  let lastError = '';
  let onError = (_: Error): void => undefined;
  const refused = new Promise<never>((_, reject) => {
    onError = (error) => {
      const { message, code = '' } = rootError(error);
      lastError = `: ${message}`;
      const login = 'Check the user and the password in REDIS_URL.';
      const trust = 'Set REDIS_CA_FILE to the certificate of the authority that signed it.';
      if (refusal.test(message))
        reject(new SetupError(`Redis at ${where} refused the login${lastError}`, login));
      if (untrusted.test(code))
        reject(new SetupError(`The certificate of ${where} is not trusted${lastError}`, trust));
    };
  });
  const ready = new Promise<void>((resolve, reject) => {
    if (client.status === 'ready') resolve();
    client.once('ready', resolve);
    // Somebody closed it: nobody waits for it any more.
    client.once('end', () => reject(new Error('The connection was closed')));
  });
  client.on('error', onError);
  try {
    if ((await withTimeout(timeoutMs, Promise.race([ready, refused]))) !== 'late') return;
    const hint =
      address.kind === 'single'
        ? 'Check REDIS_URL, and that the server is running.'
        : `Check REDIS_URL, and that the ${kinds[address.kind]} is up.`;
    throw new SetupError(`Redis at ${where} does not answer${lastError}`, hint);
  } finally {
    client.off('error', onError);
  }
}

const kinds = {
  cluster: 'cluster (`redis-cli cluster info` must report cluster_state:ok)',
  sentinel: 'master (`redis-cli -p 26379 sentinel masters` must list it as reachable)',
};

/** "a:7000, b:7001": for messages. */
export function nameNodes(nodes: readonly RedisNode[]): string {
  return nodes
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(', ');
}

/** A cluster client wraps the error of the node that it asked last. */
function rootError(
  error: NodeJS.ErrnoException & { lastNodeError?: unknown },
): NodeJS.ErrnoException {
  return error.lastNodeError instanceof Error ? error.lastNodeError : error;
}
