import { InvalidArgumentError } from 'commander';
import { dollars as amount } from '../domain/money.ts';

/** Parses a limit in US dollars; `none` removes the limit. */
export function dollarsOrNone(text: string): number | null {
  if (text === 'none') return null;
  const { success, data } = amount.safeParse(/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
  if (!success)
    throw new InvalidArgumentError(
      'It must be an amount such as 12.50 with at most six decimals, or none.',
    );
  return data;
}
