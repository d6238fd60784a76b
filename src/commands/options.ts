import { InvalidArgumentError } from 'commander';

/** Parses an option that must be a point in time. */
export function pointInTime(text: string): string {
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2026-01-31T08:00:00Z or 2026-01-31.');
  return time.toISOString();
}

/** Parses an option that must be a port. */
export function portNumber(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return text;
}
