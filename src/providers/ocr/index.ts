import type { Config } from '../../config/index.ts';
import { SetupError } from '../../errors.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { governedReader } from '../governor.ts';
import type { Govern } from '../limits.ts';
import { openLocalReader } from './local.ts';
import { withMocks } from './mock.ts';
import type { Reader } from './port.ts';

interface Tools {
  sandbox: Sandbox;
  govern: Govern;
}

const openLocal = (config: Config, { sandbox }: Tools): Reader =>
  openLocalReader({
    sandbox,
    maxPages: config.MILLRACE_MAX_PAGES,
    maxPixels: config.MILLRACE_MAX_PIXELS,
    languages: config.MILLRACE_LANGUAGES ?? [],
    pageTimeoutMs: 2 * MINUTE,
  });

/** The readers there are. Only the chosen one looks at its settings, and only its SDK is loaded. */
const readers = {
  local: async (config, tools) => openLocal(config, tools),
  documentai: async (config, tools) => {
    const {
      DOCUMENTAI_PROCESSOR: processor,
      DOCUMENTAI_ENDPOINT: address,
      GOOGLE_APPLICATION_CREDENTIALS: keyFile,
    } = config;
    if (!processor) {
      throw new SetupError('Document AI needs a processor.', 'Set DOCUMENTAI_PROCESSOR, or MILLRACE_OCR=local.');
    }
    const [endpoint, port] = address?.split(':') ?? [];
    const { openDocumentAi } = await import('./documentai.ts');
    const reader = openDocumentAi({
      processor,
      plaintext: config.DOCUMENTAI_INSECURE,
      languageHints: config.MILLRACE_LANGUAGES ?? [],
      ...(endpoint && { endpoint }),
      ...(port && { port: Number(port) }),
      ...(keyFile && { credentials: { keyFile } }),
    });
    const governed = governedReader(reader, tools.govern('documentai', config.DOCUMENTAI_REQUESTS_PER_MINUTE));
    return sparing(governed, openLocal(config, tools));
  },
} satisfies Record<string, (config: Config, tools: Tools) => Promise<Reader>>;

/** Text that a file carries is read here: a vendor is asked, and paid, for OCR alone. */
function sparing(vendor: Reader, local: Reader): Reader {
  return { ...vendor, read: (file, signal) => (file.noOcr ? local : vendor).read(file, signal) };
}

export async function openReader(config: Config, tools: Tools): Promise<Reader> {
  const automatic = config.DOCUMENTAI_PROCESSOR ? 'documentai' : 'local';
  const reader = await readers[config.MILLRACE_OCR === 'auto' ? automatic : config.MILLRACE_OCR](config, tools);
  if (!config.MILLRACE_TEST) return reader;
  return withMocks(reader, tools.sandbox, config.stages.transcribe?.timeoutMs ?? MINUTE);
}
