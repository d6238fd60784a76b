import { z } from 'zod';

/** Money is counted in millionths of a US dollar and shown to people in dollars. */
const MICROS = 1_000_000;

export function toMicros(dollars: number): number {
  return Math.round(dollars * MICROS);
}

export function toDollars(micros: number): number {
  return micros / MICROS;
}

/** `$12.50`: at least two decimals, at most six. */
export function inDollars(micros: number): string {
  const text = toDollars(micros).toFixed(6);
  return `$${text.replace(/0{1,4}$/, '')}`;
}

/** An amount as users enter it. */
export const dollars = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .refine((amount) => toDollars(toMicros(amount)) === amount, 'must have at most six decimals');
