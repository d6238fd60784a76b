import { Command } from 'commander';
import { expect, test } from 'vitest';
import { daysOrNone } from './days.ts';
import { nullIfNone } from './no-limit.ts';

test('none removes a limit, a number sets it, and nothing leaves it as it is', () => {
  const parse = (...args: string[]) => {
    const command = new Command().option('--retention <days>', '', daysOrNone);
    return nullIfNone(command.parse(args, { from: 'user' }).opts());
  };
  expect(parse('--retention', 'none')).toEqual({ retention: null });
  expect(parse('--retention', '90d')).toEqual({ retention: 90 });
  expect(parse()).toEqual({});
});
