import { InvalidArgumentError } from 'commander';

/** Parses a number of days such as `90d`; `none` removes the limit. */
export function daysOrNone(text: string): number | null {
  if (text === 'none') return null;
  const [, days] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (!days || Number(days) === 0)
    throw new InvalidArgumentError('It must be a number of days such as 90d, or none.');
  return Number(days);
}
