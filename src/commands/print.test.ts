import { expect, onTestFinished, test, vi } from 'vitest';
import { print } from './print.ts';

test('what others wrote does not drive the terminal', () => {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => stdout.mockRestore());
  print(false, {}, 'id  a\u001b[2Jb\rc  \u009b1md');
  print(true, { reason: '\u001b[2J' }, '');
  expect(stdout.mock.calls.flat()).toEqual(['id  ab c  d\n', '{"reason":"\\u001b[2J"}\n']);
});
