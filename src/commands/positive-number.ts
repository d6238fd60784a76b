import { InvalidArgumentError } from 'commander';

/** Parses an option that must be greater than zero. */
export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number)))
    throw new InvalidArgumentError('It must be a number above zero.');
  return number;
}
