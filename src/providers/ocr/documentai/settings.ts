export interface DocumentAiSettings {
  /**
   * `projects/{project}/locations/{location}/processors/{id}`, optionally with
   * `/processorVersions/{version}`.
   */
  processor: string;
  /** Host name. Defaults to the one of the processor's location. */
  endpoint?: string;
  port?: number;
  transport?: 'grpc' | 'rest';
  /** Connect without TLS and credentials, for a simulator. */
  plaintext?: boolean;
  /** Defaults to the credentials of the machine. */
  credentials?: { keyFile: string } | { accessToken: string };
  languageHints?: string[];
  /** In US dollars. Defaults to 0. */
  pricePerPage?: number;
  /** Per request. */
  maxPages?: number;
  /** Per request. */
  maxBytes?: number;
  /** Concurrent requests per document. */
  concurrency?: number;
  /** Per request. */
  timeoutMs?: number;
  /** Delay before a failed request is retried, if other parts are already paid for. */
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
