import { z } from 'zod';
import { duration, megabytes, number } from '../types.ts';

/** How large a document may be, and how much may come out of a container. */
export const limits = {
  MILLRACE_MAX_UPLOAD_MB: megabytes.default(5120).describe('Largest document accepted, in MB'),
  MILLRACE_CLAMD: z
    .string()
    .regex(/^(\/.+|.+:\d{1,5})$/, 'must be host:port or the path of a socket')
    .optional()
    .describe(
      'Virus scanner (clamd of ClamAV) that every document and entry is sent to before it is read: host:port or the path of a socket; off if empty',
    ),
  MILLRACE_MAX_PAGES: number
    .int()
    .positive()
    .default(2000)
    .describe('Maximum number of pages of a document'),
  MILLRACE_SHEET_PAGES: number
    .int()
    .positive()
    .default(10_000)
    .describe(
      'Pages of 50 rows that are read of a spreadsheet, over all sheets; the rest is reported as TRUNCATED',
    ),
  MILLRACE_MAX_PIXELS: number
    .int()
    .positive()
    .default(100_000_000)
    .describe('Maximum number of pixels of a page image'),
  MILLRACE_PAGE_CPU: duration
    .prefault('10s')
    .describe(
      'CPU time to parse or draw one page in the large lane, a fifth of it in the small lane; a page that needs more is left out',
    ),
  MILLRACE_MAX_ENTRIES: number
    .int()
    .positive()
    .default(2_000_000)
    .describe(
      'Maximum number of entries unpacked from one uploaded file, including those of nested containers',
    ),
  MILLRACE_MAX_UNPACKED_MB: megabytes
    .default(65_536)
    .describe('Largest total size of what is unpacked from one uploaded file, in MB'),
  MILLRACE_MAX_NESTING: number
    .int()
    .positive()
    .default(10)
    .describe('How many levels of containers within containers are unpacked'),
  MILLRACE_MAX_EXPANSION: number
    .min(1)
    .default(100)
    .describe('How many times its compressed size an entry may expand to, above 1 MB'),
  MILLRACE_VOLUME_WAIT: duration
    .prefault('2m')
    .describe('How long a split archive waits for volumes that are still being uploaded'),
};
