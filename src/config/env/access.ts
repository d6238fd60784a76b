import { z } from 'zod';
import { list, number, secret } from '../types.ts';

/** Who may call the API, from where, and how often. */
export const access = {
  MILLRACE_TRUST_PROXY: z
    .union([
      number.int().min(0).max(32),
      list(z.string().regex(/^[a-z0-9.:/]+$/i, 'must be addresses or networks')),
    ])
    .default(0)
    .describe(
      'Proxies in front of the API whose X-Forwarded-For is believed: how many, or their addresses and networks',
    ),
  MILLRACE_METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Token that reading /metrics requires, as "Authorization: Bearer"; open if empty')
    .meta(secret),
  MILLRACE_REQUESTS_PER_MINUTE: number
    .int()
    .positive()
    .optional()
    .describe('Requests per minute of each key that does not set its own; unlimited if empty'),
  MILLRACE_STREAMS_PER_KEY: number
    .int()
    .positive()
    .default(20)
    .describe('Event streams that each key may have open in one API process'),
  MILLRACE_STREAMS: number
    .int()
    .positive()
    .default(500)
    .describe('Event streams that may be open in one API process'),
};
