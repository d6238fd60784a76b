import { toDollars, toMicros } from '../domain/money.ts';

/** A ceiling as it is stored: null = there is none, undefined = it stays as it is. */
export function storedCeiling(dollars: number | null | undefined): number | null | undefined {
  return typeof dollars === 'number' ? toMicros(dollars) : dollars;
}

export function shownCeiling(micros: number | null): number | null {
  return micros === null ? null : toDollars(micros);
}
