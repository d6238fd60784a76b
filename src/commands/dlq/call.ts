import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';

export function call(path: string, init?: RequestInit): Promise<unknown> {
  return openClient(configuration())(`/admin/dlq${path}`, init);
}
