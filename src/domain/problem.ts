import { z } from 'zod';
import { keys } from '../lib/keys.ts';

/** Everything that can be wrong with a document: what happened, then what to do about it. */
export const problems = {
  EMPTY_FILE: 'The file is empty (0 bytes). Upload the original again.',
  INVALID_FILE:
    'The file is damaged, or its content does not match its type. Open it in the program it was made with, save a new copy and upload that.',
  TRUNCATED:
    'Only part of the document was read. Check what is missing, or upload a complete copy.',
  FILE_MISSING_OR_INCOMPLETE:
    'The stored file is missing or differs from the one that was uploaded. Upload it again.',
  INFECTED:
    'The virus scanner found the signature named in the message. Delete the document, and warn its sender.',
  NOT_SCANNED:
    'The file is larger than the virus scanner accepts. Raise StreamMaxLength in clamd.conf and replay it, or split the file.',
  CONTAINER_TOO_LARGE:
    'The archive or mailbox holds too much, or is nested too deeply. Unpack it and upload its files instead.',
  PASSWORD_PROTECTED:
    'The file is encrypted. Replay it with its password, or upload an unencrypted copy.',
  UNSUPPORTED_TYPE:
    'This file type is not supported. Its message names the export to use where one is known; otherwise convert it to PDF, an image or plain text.',
  NO_PAGES: 'The document has no pages. Open it in a viewer, and upload a copy that has pages.',
  TOO_MANY_PAGES:
    'The document has more pages than allowed. Split it, or raise MILLRACE_MAX_PAGES and replay it.',
  IMAGE_TOO_LARGE:
    'The image has more pixels than allowed. Scale it down, or raise MILLRACE_MAX_PIXELS and replay it.',
  TEXT_UNAVAILABLE:
    'No text could be read from the document: it is blank, black, blurred, or has none, such as audio. If it should have text, upload a sharper scan of it.',
  TEXT_LAYER_IGNORED:
    'The text layer does not match what the page shows, so the page was read by OCR. No action is needed.',
  OCR_SKIPPED:
    'Some pages, or pictures in the document, were not read by OCR. Check them, or reprocess the document.',
  CLEANING_SKIPPED:
    'Poor pages could not be cleaned up and were read as they are. Check the values from these pages.',
  PROVIDER_REFUSED:
    'The provider refused the document; its message gives the reason. Correct the document, or replay it with another provider.',
  PROVIDER_NOT_CONFIGURED:
    'The run needs a provider that its worker is not configured for. Configure it for every process, then replay the document.',
  EXTRACTION_INCOMPLETE: 'Some fields are missing or uncertain. Review the document.',
  TOO_SLOW:
    'Processing took longer than the stage or a page may take. Replay the document with a longer timeout or a higher MILLRACE_PAGE_CPU, or split it.',
  OUT_OF_MEMORY:
    'Processing needed more memory than the stage allows. Raise MILLRACE_SANDBOX_MEMORY_MB and replay the document, or split it.',
  WORKER_LOST:
    'The process working on the document died. Replay it; if that fails too, the document is the likely cause.',
  GAVE_UP_WAITING:
    'The document waited too long for a service that was busy or unavailable. Its last error names the service; replay the document when it works again.',
  STORAGE_REFUSED:
    'Storage refused access: its credentials, permissions or bucket are wrong. Correct them, then replay the document.',
  DELIVERY_REJECTED:
    'The document manager refused the document; its message gives the reason. Correct the cause, then replay the dead letter.',
  DESTINATION_UNUSABLE:
    'The destination is not set up correctly. Correct its settings, then replay the dead letters.',
  DESTINATION_FAILED:
    'The document manager was unreachable, or its response was invalid. Replay the dead letter when it works again.',
  INTERNAL:
    'An unexpected error. The dead letter holds its message and stack trace; replay it when the cause is fixed.',
} as const;

export type ProblemCode = keyof typeof problems;

/** Part of the document was not read, or was read poorly: its result needs review. */
const doubtful: ReadonlySet<ProblemCode> = new Set([
  'TRUNCATED',
  'OCR_SKIPPED',
  'CLEANING_SKIPPED',
]);

/** What to do about a failure; null for codes of waits, which are not problems. */
export function findHint(code: string | null): string | null {
  return code !== null && isProblemCode(code) ? problems[code] : null;
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code);
}

/** Whether a person should look at the document because of this problem. */
export function needsReview({ code, review = doubtful.has(code) }: Problem): boolean {
  return review;
}

export const problem = z.object({
  code: z.enum(keys(problems)),
  message: z.string(),
  /** Whether a person should look at the document, where the code alone does not decide. */
  review: z.boolean().optional(),
});
export type Problem = z.infer<typeof problem>;
