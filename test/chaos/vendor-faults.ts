import type { DocumentAiFault } from '../../src/simulators/documentai/fault.ts';
import type { OpenAiFault } from '../../src/simulators/openai/fault.ts';

export interface VendorFaults {
  reading?: DocumentAiFault[];
  extracting?: OpenAiFault[];
}

const busy = (headers: Record<string, string> = {}): OpenAiFault => ({
  kind: 'status',
  status: 429,
  headers,
});
const soon = () => new Date(Date.now() + 2000).toUTCString();
const refusal = (
  code: (DocumentAiFault & { kind: 'error' })['code'],
  retryAfter?: string,
): DocumentAiFault => ({
  kind: 'error',
  code,
  ...(retryAfter && { retryAfter }),
});

/** How vendors fail. Each fault affects one call. */
export const vendorFaults: Record<string, () => VendorFaults> = {
  'vendors throttle': () => ({
    reading: [refusal('RESOURCE_EXHAUSTED', '1'), refusal('RESOURCE_EXHAUSTED', '0')],
    extracting: [
      busy({ 'retry-after': '1' }),
      busy({ 'retry-after': soon() }),
      busy({ 'retry-after': '0' }),
      busy({ 'retry-after': '-1' }),
      busy({ 'retry-after-ms': '500' }),
      busy(),
    ],
  }),
  'vendors fail': () => ({
    reading: [refusal('INTERNAL'), refusal('UNAVAILABLE')],
    extracting: [500, 502, 503, 504].map((status): OpenAiFault => ({ kind: 'status', status })),
  }),
  'vendors do not answer': () => ({
    reading: [{ kind: 'silent' }],
    extracting: [{ kind: 'silent' }, { kind: 'stall' }],
  }),
  'vendors answer garbage': () => ({
    extracting: [
      { kind: 'cut' },
      { kind: 'html' },
      { kind: 'huge', bytes: 300_000_000 },
      { kind: 'garbage', of: 'not-json' },
      { kind: 'garbage', of: 'deep-nesting' },
      { kind: 'garbage', of: 'proto' },
    ],
  }),
};
