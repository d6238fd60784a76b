import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Reader } from './port.ts';

/** Documents of this type do to their reader what they say. They are read in test mode only. */
export const mockType = 'application/x-millrace-mock+json';

/** A reader that plays mock documents in the sandbox, and leaves all others to another reader. */
export function withMocks(reader: Reader, sandbox: Sandbox, timeoutMs: number): Reader {
  return {
    ...reader,
    quote: async (file, signal) => (file.mediaType === mockType ? 0 : ((await reader.quote?.(file, signal)) ?? 0)),
    async read(file, signal, charge) {
      if (file.mediaType !== mockType) return reader.read(file, signal, charge);
      const { text } = await sandbox.run('mock', { path: file.path }, { signal, timeoutMs, lane: file.lane });
      const page = {
        number: 1,
        width: 0,
        height: 0,
        text,
        words: [],
        quality: { score: 1, defects: [] },
        native: true,
      };
      return { engine: reader.engine, pages: [page], embedded: [], problems: [] };
    },
  };
}
