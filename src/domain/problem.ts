import { z } from 'zod';
import { keys } from '../lib/keys.ts';

/** What can be wrong with a document, in words people can act on. The hint answers "what now?". */
export const problems = {
  EMPTY_FILE: 'The file has no bytes. Send it again from its source.',
  INVALID_FILE:
    'The file is damaged or not what its type says. Open it in its own program and save it anew.',
  TRUNCATED:
    'Not all of the document was read. Send it again from its source, or look at the pages that are missing.',
  FILE_MISSING_OR_INCOMPLETE:
    'The stored bytes are gone or differ from what was received. Submit the document again.',
  CONTAINER_TOO_LARGE:
    'The archive or mail holds more, or is nested deeper, than is unpacked. Unpack it yourself and send what is in it.',
  PASSWORD_PROTECTED: 'The file is encrypted. Remove the password, or replay it with one.',
  UNSUPPORTED_TYPE:
    'No reader takes this type of file. Convert it to PDF, an image or text; save what Outlook keeps as .msg or .pst as .eml or .mbox.',
  NO_PAGES: 'The document has no pages.',
  TOO_MANY_PAGES:
    'The document has more pages than allowed. Split it, or raise MILLRACE_MAX_PAGES.',
  IMAGE_TOO_LARGE:
    'The image has more pixels than allowed. Scale it down, or raise MILLRACE_MAX_PIXELS.',
  TEXT_UNAVAILABLE: 'No text could be read from the document.',
  TEXT_LAYER_IGNORED:
    'The text layer says something else than the page shows; the page was read instead.',
  OCR_SKIPPED: 'Some pages were not read by OCR.',
  CLEANING_SKIPPED: 'Poor pages could not be cleaned and were taken as they are.',
  PROVIDER_REFUSED: 'The provider refused the document. Its message says why.',
  PROVIDER_NOT_CONFIGURED:
    'The run asks for an engine that its worker has no settings for. Give them to all processes.',
  EXTRACTION_INCOMPLETE:
    'Not all fields could be extracted with confidence. A person should look at it.',
  TOO_SLOW:
    'The document took longer than its stage allows. Raise the timeout of the stage, or split the document.',
  OUT_OF_MEMORY:
    'The document needed more memory than its stage allows. Raise MILLRACE_SANDBOX_MEMORY_MB, or split it.',
  WORKER_LOST:
    'The process that worked on the document died. If it happens again, the document may be the cause.',
  GAVE_UP_WAITING:
    'The document waited longer than allowed for something outside. See its last error.',
  DELIVERY_REJECTED: 'The document manager refused the document. Its message says why.',
  DESTINATION_UNUSABLE:
    'The destination cannot be used as it is set up. Correct it, then replay the dead letters.',
  DESTINATION_FAILED:
    'The document manager could not be reached, or its answers made no sense. Replay it when it works.',
  INTERNAL: 'An error that has no name of its own. Its message and stack are in the dead letter.',
} as const;

export type ProblemCode = keyof typeof problems;

/** Something of the document was not read, or not as well as it could be: a person should look at what came of it. */
export const doubtful: ReadonlySet<ProblemCode> = new Set([
  'TRUNCATED',
  'OCR_SKIPPED',
  'CLEANING_SKIPPED',
]);

export const problem = z.object({ code: z.enum(keys(problems)), message: z.string() });
export type Problem = z.infer<typeof problem>;
