import { containers } from './containers.ts';
import { delivery } from './delivery.ts';
import { engine } from './engine.ts';
import { growth } from './growth.ts';
import { intake } from './intake.ts';
import { lag } from './lag.ts';
import { largeFile } from './large-file.ts';
import { latency } from './latency.ts';
import { malformed } from './malformed.ts';
import { ocr } from './ocr.ts';
import type { Part } from './part.ts';
import { pdfText } from './pdf-text.ts';
import { peers } from './peers.ts';
import { start } from './start.ts';

/** All parts, by their command-line names. */
export const parts = {
  engine,
  peers,
  latency,
  growth,
  malformed,
  intake,
  'large-file': largeFile,
  'pdf-text': pdfText,
  containers,
  ocr,
  start,
  delivery,
  lag,
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
