import { expect, test } from 'vitest';
import { openChoice } from './choice.ts';

const engine = () => ({ close: async () => undefined });

test('an engine is opened once, whoever asks for it', async () => {
  let openings = 0;
  const choice = openChoice({
    one: async () => {
      openings += 1;
      return engine();
    },
  });
  const [first, second] = await Promise.all([choice.open('one'), choice.open('one')]);
  expect(first).toBe(second);
  expect(openings).toBe(1);
});

test('an engine that could not be opened is opened anew for the next who asks', async () => {
  let openings = 0;
  const choice = openChoice({
    one: async () => {
      openings += 1;
      if (openings === 1) throw new Error('no credentials yet');
      return engine();
    },
  });
  await expect(choice.open('one')).rejects.toThrow('no credentials yet');
  await expect(choice.open('one')).resolves.toBeDefined();
  await choice.close();
});

test('an engine that is not configured is refused by name', async () => {
  const choice = openChoice({ one: async () => engine() });
  await expect(choice.open('two')).rejects.toThrow('"two"');
});
