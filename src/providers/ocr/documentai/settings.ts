export interface DocumentAiSettings {
  /** `projects/{project}/locations/{location}/processors/{id}`, with or without `/processorVersions/{version}`. */
  processor: string;
  /** Host to speak to; that of the processor's location when absent. */
  endpoint?: string;
  port?: number;
  transport?: 'grpc' | 'rest';
  /** Speak without TLS and without an account: for a simulator. */
  plaintext?: boolean;
  /** The account of the machine when absent. */
  credentials?: { keyFile: string } | { accessToken: string };
  languageHints?: string[];
  /** In US dollars; nothing is booked when absent. */
  pricePerPage?: number;
  /** Pages in one request. */
  maxPages?: number;
  /** Bytes in one request. */
  maxBytes?: number;
  /** Requests in flight for one document. */
  concurrency?: number;
  /** Deadline of one request. */
  timeoutMs?: number;
  /** Before a request that failed is made again, for a document of which other parts are paid for. */
  pauseMs?: number;
}

export const documentAiDefaults = {
  transport: 'grpc',
  plaintext: false,
  languageHints: [],
  pricePerPage: 0,
  maxPages: 15,
  maxBytes: 40 * 1024 * 1024,
  concurrency: 4,
  timeoutMs: 120_000,
  pauseMs: 2_000,
} as const satisfies Partial<DocumentAiSettings>;

export interface Processor {
  project: string;
  location: string;
  /** Id, and version where one is pinned. */
  id: string;
}

export function parseProcessor(name: string): Processor | undefined {
  const match =
    /^projects\/([^/]+)\/locations\/([^/]+)\/processors\/([^/]+)(?:\/processorVersions\/([^/]+))?$/.exec(
      name,
    );
  const [, project, location, processor, version] = match ?? [];
  if (!project || !location || !processor) return undefined;
  return { project, location, id: version ? `${processor}@${version}` : processor };
}
