import { InvalidArgumentError } from 'commander';

/** Parses a number of days such as `90d`. */
export function days(text: string): number {
  const [, count] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (!count || Number(count) === 0)
    throw new InvalidArgumentError('It must be a number of days such as 90d.');
  return Number(count);
}

/** The same; `none` removes the limit. */
export function daysOrNone(text: string): number | null {
  return text === 'none' ? null : days(text);
}
