import type { Database } from './db/index.ts';
import type { Log } from './observability/logger.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Extractor } from './providers/llm/port.ts';
import type { Reader } from './providers/ocr/port.ts';
import type { Storage } from './storage/storage.ts';

/** What stages, jobs and routes work with. Narrow on purpose: each takes what it needs and no more. */
export interface Resources {
  database: Database;
  storage: Storage;
  reader: Reader;
  extractor: Extractor;
  log: Log;
  metrics: Metrics;
  /** Settings that stages read. */
  settings: {
    qualityThreshold: number;
    maxPixels: number;
  };
}
