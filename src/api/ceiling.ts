import { dollarsOf, microsOf } from '../domain/money.ts';

/** A ceiling as it is stored: null = there is none, undefined = it stays as it is. */
export function storedCeiling(dollars: number | null | undefined): number | null | undefined {
  return typeof dollars === 'number' ? microsOf(dollars) : dollars;
}

export function shownCeiling(micros: number | null): number | null {
  return micros === null ? null : dollarsOf(micros);
}
