import { microsOf } from '../domain/money.ts';

/** A ceiling as it is stored: null = there is none, undefined = it stays as it is. */
export function ceilingOf(dollars: number | null | undefined): number | null | undefined {
  return typeof dollars === 'number' ? microsOf(dollars) : dollars;
}
