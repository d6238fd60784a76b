import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues } from './issue-text.ts';

const schema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  status: z.enum(['failed', 'completed', 'cancelled']).optional(),
  from: z.iso.datetime().optional(),
  id: z.uuid().optional(),
  name: z.string().min(2).optional(),
  tags: z.array(z.string()).max(1).optional(),
  on: z.union([z.boolean(), z.stringbool()]).optional(),
});

test.each([
  [{ limit: 'abc' }, 'limit must be a number'],
  [{ limit: 0 }, 'limit must be at least 1'],
  [{ limit: 101 }, 'limit must be at most 100'],
  [{ limit: 1.5 }, 'limit must be a whole number'],
  [{ status: 'faild' }, 'status must be failed, completed or cancelled'],
  [{ from: 'yesterday' }, 'from must be a time such as 2026-01-31T08:00:00Z'],
  [{ id: '1' }, 'id must be a UUID'],
  [{ name: 'a' }, 'name must have at least 2 characters'],
  [{ tags: ['a', 'b'] }, 'tags must have at most 1 items'],
  [{ name: 1 }, 'name must be text'],
  [{ wrong: 1 }, 'The body has no member "wrong"'],
  ['text', 'The body must be an object'],
])('%j: %s', (value, expected) => {
  const { error } = schema.safeParse(value);
  expect(describeIssues(error?.issues ?? [], 'The body')).toBe(expected);
});
