import type { DestinationRow } from '../db/destinations.ts';
import { describeError } from '../lib/describe-error.ts';
import { SECOND } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import { findDestinationKind } from './index.ts';

/** Tests a destination with one real call that changes nothing. */
export async function tryDestination(
  { outgoing, seal }: Pick<Resources, 'outgoing' | 'seal'>,
  { kind, settings, secret }: Pick<DestinationRow, 'kind' | 'settings' | 'secret'>,
): Promise<{ works: boolean; explanation: string }> {
  try {
    const manager = findDestinationKind(kind).open(
      settings,
      secret ? JSON.parse(seal.open(secret)) : undefined,
      outgoing,
    );
    const explanation = await manager
      .test(AbortSignal.timeout(30 * SECOND))
      .finally(() => manager.close());
    return { works: true, explanation };
  } catch (error) {
    return { works: false, explanation: describeError(error) };
  }
}
