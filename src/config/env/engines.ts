import { z } from 'zod';
import { flag, list, number, secret } from '../types.ts';

/** Engines for OCR and extraction, and their prices. */
export const engines = {
  MILLRACE_OCR: z
    .enum(['auto', 'local', 'documentai'])
    .default('auto')
    .describe('OCR engine; auto = documentai if DOCUMENTAI_PROCESSOR is set, else local'),
  MILLRACE_LANGUAGES: list(z.string().regex(/^[a-z]{2}$/, 'must be codes such as en, de, fr'))
    .optional()
    .describe('Languages of the documents (ISO 639-1 codes); any in Latin script if empty'),
  MILLRACE_INLINE_OCR_PICTURES: number
    .int()
    .min(0)
    .default(100)
    .describe(
      'Pictures inside Office files, mail, web pages and PDFs with text that are read by OCR, per document; 0 = none',
    ),
  MILLRACE_INLINE_OCR_MIN_PIXELS: number
    .int()
    .positive()
    .default(100_000)
    .describe('Pictures with fewer pixels, such as logos and icons, are not read'),
  DOCUMENTAI_PROCESSOR: z
    .string()
    .regex(
      /^projects\/[^/]+\/locations\/[^/]+\/processors\/.+$/,
      'must look like projects/P/locations/L/processors/ID',
    )
    .optional()
    .describe('Google Document AI processor (or processor version) name'),
  DOCUMENTAI_ENDPOINT: z
    .string()
    .optional()
    .describe('host[:port] of Document AI; derived from the processor name if empty'),
  DOCUMENTAI_INSECURE: flag
    .default(false)
    .describe('Connect to the endpoint without TLS and credentials (for simulators)'),
  DOCUMENTAI_REQUESTS_PER_MINUTE: number
    .int()
    .positive()
    .default(600)
    .describe(
      'Requests to Document AI per minute, across all workers; a document needs one for every 15 pages',
    ),
  DOCUMENTAI_PRICE_PAGE: number
    .min(0)
    .default(0.0015)
    .describe(
      'US dollars per page read by Document AI; the default is the list price of Enterprise Document OCR',
    ),
  GOOGLE_APPLICATION_CREDENTIALS: z
    .string()
    .optional()
    .describe('Path of the service account key file for Document AI'),

  MILLRACE_LLM: z
    .enum(['auto', 'local', 'openai'])
    .default('auto')
    .describe('Extraction engine; auto = openai if OPENAI_API_KEY is set, else local'),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe('API key of the OpenAI-compatible server')
    .meta(secret),
  OPENAI_BASE_URL: z
    .url()
    .optional()
    .describe('Base URL ending in /v1 (Ollama, vLLM, Azure and others)'),
  OPENAI_MODEL: z.string().default('gpt-4.1-mini').describe('Model used for extraction'),
  OPENAI_MAX_INPUT_TOKENS: number
    .int()
    .min(1000)
    .default(100_000)
    .describe('Longest prompt that the model accepts, in tokens'),
  OPENAI_PRICE_INPUT: number
    .min(0)
    .default(0.4)
    .describe(
      'US dollars per million input tokens; the default is the list price of gpt-4.1-mini, 0 = free',
    ),
  OPENAI_PRICE_OUTPUT: number
    .min(0)
    .default(1.6)
    .describe(
      'US dollars per million output tokens; the default is the list price of gpt-4.1-mini, 0 = free',
    ),
  OPENAI_REQUESTS_PER_MINUTE: number
    .int()
    .positive()
    .default(500)
    .describe(
      'Requests to the model per minute, across all workers; a document needs one to three',
    ),
};
