import { InvalidArgumentError } from 'commander';

/** Parses an option that must be a non-negative integer. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number, zero or more.');
  return Number(text);
}
