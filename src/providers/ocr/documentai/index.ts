import type { Charge } from '../../../domain/cost.ts';
import { toMicros } from '../../../domain/money.ts';
import type { Page } from '../../../domain/transcription.ts';
import { SetupError } from '../../../errors.ts';
import { type Governor, ungoverned } from '../../governor/index.ts';
import { retryVendorCall } from '../../retry-vendor-call.ts';
import type { Reader } from '../port.ts';
import { toPages } from './answer.ts';
import { openClient, type ProcessRequest } from './client.ts';
import { toFailure } from './failure.ts';
import { inFlight } from './in-flight.ts';
import { countPages } from './page-count.ts';
import type { OpenPdf } from './pdf.ts';
import { type DocumentAiSettings, documentAiDefaults, parseProcessor } from './settings.ts';
import { type Slice, slices } from './slices.ts';

/** Reads with an OCR processor of Google Document AI. Every request goes through the governor. */
export function openDocumentAi(
  given: DocumentAiSettings,
  open: OpenPdf,
  governor: Governor = ungoverned,
): Reader {
  const settings = { ...documentAiDefaults, ...given };
  const processor = parseProcessor(settings.processor);
  if (!processor) {
    throw new SetupError(
      `"${settings.processor}" is not the name of a Document AI processor.`,
      'Use a name like projects/my-project/locations/eu/processors/0123456789abcdef.',
    );
  }
  const engine = `documentai/${processor.id}`;
  const client = openClient(settings, processor);

  const priceOf = (pages: number) => toMicros(pages * settings.pricePerPage);

  async function readSlice(
    slice: Slice,
    mediaType: string,
    signal: AbortSignal,
    charge: Charge,
  ): Promise<Page[]> {
    const request = requestFor(slice, mediaType, settings);
    const answer = await client
      .process(request, settings.timeoutMs, signal)
      .catch((error: unknown) => {
        throw signal.aborted ? signal.reason : toFailure(error);
      });
    const pages = toPages(answer, slice.first);
    charge(priceOf(pages.length));
    if (slice.count !== undefined && pages.length !== slice.count) {
      throw new Error(`Document AI returned ${pages.length} of ${slice.count} pages.`);
    }
    return pages;
  }

  return {
    engine,
    // A file that only the vendor can open is sent as one request, so `maxPages` is the most.
    quote: async (file, signal) =>
      priceOf((await countPages(file, open, signal)) ?? settings.maxPages),
    async read(file, signal, charge = () => undefined) {
      signal.throwIfAborted();
      const pdf = file.mediaType === 'application/pdf' ? await open(file, signal) : undefined;
      // Finished parts are already paid for, so retry a failed part, not the whole document.
      let atStake = 0;
      const isWorthIt = () => atStake > 0;
      const read = async (slice: Slice, either: AbortSignal) => {
        const ask = async () => {
          atStake++;
          try {
            return await governor.run(
              () => readSlice(slice, file.mediaType, either, charge),
              either,
            );
          } catch (error) {
            atStake--;
            throw error;
          }
        };
        return retryVendorCall(ask, { isWorthIt, pauseMs: settings.pauseMs, signal: either });
      };
      const parts = await inFlight(
        slices(file, pdf, settings, signal),
        settings.concurrency,
        signal,
        read,
      );
      const pages = parts.flat().toSorted((a, b) => a.number - b.number);
      return { engine, pages, embedded: pdf?.embedded ?? [], problems: [] };
    },
    close: () => client.close(),
  };
}

function requestFor(
  slice: Slice,
  mimeType: string,
  settings: { processor: string; languageHints: readonly string[] },
): ProcessRequest {
  return {
    name: settings.processor,
    rawDocument: { content: slice.content, mimeType },
    skipHumanReview: true,
    imagelessMode: true,
    fieldMask: {
      paths: [
        'text',
        'pages.page_number',
        'pages.dimension',
        'pages.layout',
        'pages.tokens',
        'pages.image_quality_scores',
      ],
    },
    processOptions: {
      ...(slice.pages && { individualPageSelector: { pages: slice.pages } }),
      ocrConfig: {
        enableImageQualityScores: true,
        enableNativePdfParsing: true,
        hints: { languageHints: [...settings.languageHints] },
      },
    },
  };
}
