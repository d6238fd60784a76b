import type { Config } from '../../config/index.ts';
import { isText } from '../../content/index.ts';
import { SetupError } from '../../errors.ts';
import { keys } from '../../lib/keys.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type Choice, openChoice } from '../choice.ts';
import type { Govern } from '../limits.ts';
import { openPdfIn } from './documentai/pdf.ts';
import { openLocalReader } from './local/index.ts';
import type { Reader, SourceFile } from './port.ts';

interface Tools {
  sandbox: Sandbox;
  govern: Govern;
}

const pageTimeoutMs = 2 * MINUTE;
/** Of a printed spreadsheet. */
const rowsPerPage = 50;

const openLocal = (config: Config, { sandbox }: Tools): Reader =>
  openLocalReader({
    sandbox,
    maxPages: config.MILLRACE_MAX_PAGES,
    maxPixels: config.MILLRACE_MAX_PIXELS,
    maxSheetRows: config.MILLRACE_SHEET_PAGES * rowsPerPage,
    languages: config.MILLRACE_LANGUAGES ?? [],
    pageTimeoutMs,
    pageCpuMs: config.MILLRACE_PAGE_CPU,
  });

/** All readers. Settings are validated and SDKs loaded only for readers in use. */
const readers = {
  local: async (config, tools) => openLocal(config, tools),
  documentai: async (config, tools) => {
    const {
      DOCUMENTAI_PROCESSOR: processor,
      DOCUMENTAI_ENDPOINT: address,
      GOOGLE_APPLICATION_CREDENTIALS: keyFile,
    } = config;
    if (!processor) {
      throw new SetupError(
        'Document AI requires a processor.',
        'Set DOCUMENTAI_PROCESSOR, or MILLRACE_OCR=local.',
      );
    }
    const [endpoint, port] = address?.split(':') ?? [];
    const { openDocumentAi } = await import('./documentai/index.ts');
    const settings = {
      processor,
      pricePerPage: config.DOCUMENTAI_PRICE_PAGE,
      plaintext: config.DOCUMENTAI_INSECURE,
      languageHints: config.MILLRACE_LANGUAGES ?? [],
      ...(endpoint && { endpoint }),
      ...(port && { port: Number(port) }),
      ...(keyFile && { credentials: { keyFile } }),
    };
    const governor = tools.govern('documentai', config.DOCUMENTAI_REQUESTS_PER_MINUTE);
    const reader = openDocumentAi(settings, openPdfIn(tools.sandbox, pageTimeoutMs), governor);
    return ocrOnlyWhenNeeded(reader, openLocal(config, tools));
  },
} satisfies Record<string, (config: Config, tools: Tools) => Promise<Reader>>;

/**
 * Calls the paid vendor only for OCR. Text formats, runs without OCR and salvage runs (after the
 * vendor failed) use the local reader.
 */
function ocrOnlyWhenNeeded(vendor: Reader, local: Reader): Reader {
  const readerOf = ({ noOcr, salvage, mediaType }: SourceFile) =>
    noOcr || salvage || isText(mediaType) ? local : vendor;
  return {
    ...vendor,
    quote: async (file, signal) => (await readerOf(file).quote?.(file, signal)) ?? 0,
    read: (file, signal, charge) => readerOf(file).read(file, signal, charge),
  };
}

export function usualReader({
  MILLRACE_OCR: setting,
  DOCUMENTAI_PROCESSOR: processor,
}: Config): keyof typeof readers {
  if (setting !== 'auto') return setting;
  return processor ? 'documentai' : 'local';
}

/** Opens the default reader, and the choice of readers that a single run can request. */
export async function openReaders(
  config: Config,
  tools: Tools,
): Promise<{ usual: Reader; choice: Choice<Reader> }> {
  const usual = usualReader(config);
  const open = (name: keyof typeof readers) => readers[name](config, tools);
  const configured = { local: true, documentai: config.DOCUMENTAI_PROCESSOR !== undefined };
  const names = keys(readers).filter((name) => name === usual || configured[name]);
  const choice = openChoice(Object.fromEntries(names.map((name) => [name, () => open(name)])));
  return { usual: await choice.open(usual), choice };
}
