import { toDollars, toMicros } from '../domain/money.ts';

/** Converts a spending limit to micros: null = no limit, undefined = leave unchanged. */
export function storedCeiling(dollars: number | null | undefined): number | null | undefined {
  return typeof dollars === 'number' ? toMicros(dollars) : dollars;
}

export function shownCeiling(micros: number | null): number | null {
  return micros === null ? null : toDollars(micros);
}
