import { createHash } from 'node:crypto';
import type { Page } from '../../src/domain/transcription.ts';
import type { Closers } from '../../src/lib/closers.ts';
import { startDocumentAiSimulator } from '../../src/simulators/documentai/index.ts';
import { startManagerSimulator } from '../../src/simulators/manager/index.ts';
import { startOpenAiSimulator } from '../../src/simulators/openai/index.ts';
import type { VendorFaults } from './vendor-faults.ts';

export type Vendors = Awaited<ReturnType<typeof startVendors>>;

/** Long enough for documents to be in progress when a fault is injected. */
const readingMs = 300;

/** Simulated reader, model and document manager. They count calls and fail on command. */
export async function startVendors(closers: Closers) {
  const pages = new Map<string, readonly Page[]>();
  const due: Required<VendorFaults> = { reading: [], extracting: [] };
  let refused = 0;
  const next = <T>(faults: T[]): T | undefined => {
    const fault = faults.shift();
    if (fault) refused += 1;
    return fault;
  };
  const reader = await startDocumentAiSimulator({
    pages,
    faults: () => next(due.reading) ?? { kind: 'slow', ms: readingMs },
  });
  closers.add(() => reader.close());
  const model = await startOpenAiSimulator({ faults: () => next(due.extracting) });
  closers.add(() => model.close());
  const manager = await startManagerSimulator();
  closers.add(() => manager.close());
  return {
    env: {
      MILLRACE_OCR: 'documentai',
      DOCUMENTAI_PROCESSOR: 'projects/p/locations/eu/processors/0123456789abcdef',
      DOCUMENTAI_ENDPOINT: `${reader.host}:${reader.port}`,
      DOCUMENTAI_INSECURE: 'true',
      DOCUMENTAI_REQUESTS_PER_MINUTE: '1000000',
      MILLRACE_LLM: 'openai',
      OPENAI_API_KEY: 'simulated',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'simulated',
      OPENAI_REQUESTS_PER_MINUTE: '1000000',
      MILLRACE_OUTGOING_ALLOW: '127.0.0.0/8',
      MILLRACE_OUTGOING_INSECURE: 'true',
    },
    managerUrl: manager.url,
    /** Repeated calls, without those caused by injected vendor faults. */
    surplusCalls: () => reader.tally.repeated + model.tally.repeated - refused,
    /** Documents that were delivered more than once. */
    doubled: () => [...manager.store.handedOver.values()].filter((times) => times > 1).length,
    holds: (sha256: string) => manager.store.find(sha256) !== undefined,
    /** Makes the next calls fail with these faults. */
    fail(faults: VendorFaults) {
      due.reading.push(...(faults.reading ?? []));
      due.extracting.push(...(faults.extracting ?? []));
    },
    /** How many injected faults have happened so far. */
    refused: () => refused,
    /** Makes the reader return these lines for the file, with poor quality. */
    script(bytes: Buffer, lines: readonly string[]) {
      pages.set(createHash('sha256').update(bytes).digest('hex'), [poorPage(lines)]);
    },
  };
}

function poorPage(lines: readonly string[]): Page {
  const words = lines.flatMap((line, row) =>
    line.split(' ').map((text, column) => ({
      text,
      box: [20 + 120 * column, 40 + 40 * row, 130 + 120 * column, 60 + 40 * row] as [
        number,
        number,
        number,
        number,
      ],
      confidence: 0.9,
    })),
  );
  const quality = { score: 0.4, defects: ['low-contrast' as const] };
  return {
    number: 1,
    width: 800,
    height: 400,
    text: lines.join('\n'),
    words,
    quality,
    native: false,
  };
}
