import { spend } from '../../src/engine/budget/spend.ts';
import type { TestApi } from './api.ts';
import { drain } from './drain.ts';

/** Admits a document whose first stage makes a paid vendor call. */
export async function spending(
  api: TestApi,
  name: string,
  { quote, cost }: { quote: number; cost: number },
) {
  api.behaviours.set(name, (document, context) =>
    spend(document, context, { engine: 'vendor/1', quote, buy: async (charge) => charge(cost) }),
  );
  const admitted = await api.admit('text', name);
  await drain(api.runnerWith());
  return admitted;
}
