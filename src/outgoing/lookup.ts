import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Policy } from './policy.ts';

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name once, for both the check and the connection. Resolving again after the check
 * would allow DNS rebinding.
 */
export function guardedLookup(policy: Policy, resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      try {
        policy.checkAddresses(
          host.replace(/\.$/, '').toLowerCase(),
          addresses.map(({ address }) => address),
        );
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      if (options.all || !first) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
