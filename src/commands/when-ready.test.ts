import { expect, test, vi } from 'vitest';
import { SetupError } from '../errors.ts';
import { ServerBusyError } from './client.ts';
import { whenReady } from './when-ready.ts';

test('a server that is busy is asked again when it said, one that refuses is not', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const call = vi
    .fn()
    .mockRejectedValueOnce(new ServerBusyError('The database cannot be reached.', 'Later.', 1))
    .mockRejectedValueOnce(new ServerBusyError('The database cannot be reached.', 'Later.', 1))
    .mockResolvedValueOnce('started');
  expect(await whenReady(call, '/x', {})).toBe('started');
  expect(call).toHaveBeenCalledTimes(3);
  expect(stderr.mock.calls.join()).toContain('The database cannot be reached.');
  const refused = vi.fn().mockRejectedValue(new SetupError('The batch cannot be started', ''));
  await expect(whenReady(refused, '/x', {})).rejects.toThrow('cannot be started');
  expect(refused).toHaveBeenCalledTimes(1);
  stderr.mockRestore();
});
