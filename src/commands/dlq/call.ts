import { openClient } from '../client.ts';
import { configuration } from '../configuration.ts';

export function call(path: string, init?: RequestInit): Promise<unknown> {
  return openClient(configuration())(`/admin/dlq${path}`, init);
}

export function print(json: boolean | undefined, value: unknown, line: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${line}\n`);
}
