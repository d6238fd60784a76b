import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What is wrong with a value, as the end of a sentence that begins with its name. */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${listed(issue.values.map(String))}`;
    case 'invalid_format':
      return formats[issue.format] ? `must be ${formats[issue.format]}` : issue.message;
    case 'too_small':
      return limit(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return limit(issue.origin, 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `has no member ${listed(issue.keys.map((key) => `"${key}"`))}`;
    case 'invalid_union':
      return unionIssue(issue) ?? issue.message;
    default:
      return issue.message;
  }
}

/** Every issue as a sentence: `limit must be a number; status must be failed or completed`. */
export function describeIssues(issues: readonly Issue[], ofWhole = 'The value'): string {
  return issues
    .map((issue) => `${issue.path.join('.') || ofWhole} ${describeIssue(issue)}`)
    .join('; ');
}

const nouns: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const formats: Record<string, string> = {
  uuid: 'a UUID',
  url: 'a URL',
  email: 'an e-mail address',
  datetime: 'a time such as 2026-01-31T08:00:00Z',
  date: 'a date such as 2026-01-31',
};

const units: Record<string, string> = { string: 'characters', array: 'items', set: 'items' };

function limit(origin: string, relation: string, bound: number | bigint): string {
  const unit = units[origin];
  return unit ? `must have ${relation} ${bound} ${unit}` : `must be ${relation} ${bound}`;
}

/** The problem of the one alternative that fits best: the one with the fewest issues. */
function unionIssue({ errors }: Extract<Issue, { code: 'invalid_union' }>): string | undefined {
  const [best] = [...errors].sort((a, b) => a.length - b.length);
  const [first] = best ?? [];
  return first && describeIssue(first);
}

function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
