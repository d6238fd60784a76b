import type { Prices } from '../../domain/cost.ts';

export interface OpenAiSettings {
  /** Local servers take any. */
  apiKey: string;
  /** Of any server that speaks the protocol; ends in `/v1`. */
  baseUrl?: string;
  model: string;
  /** Deadline of one call. */
  timeoutMs?: number;
  /** Before a question that failed is put again, where an answer to an earlier one is at stake. */
  pauseMs?: number;
  /** What the prompt may have; longer documents lose pages from their middle. */
  maxInputTokens?: number;
  maxOutputTokens?: number;
  /** Nothing is booked when absent. */
  prices?: Prices;
  /** An answer that grows past this is not read to its end. */
  maxAnswerBytes?: number;
}

export const openAiDefaults = {
  baseUrl: 'https://api.openai.com/v1',
  timeoutMs: 120_000,
  pauseMs: 2_000,
  maxInputTokens: 100_000,
  maxOutputTokens: 8_192,
  prices: { perMillionInputTokens: 0, perMillionOutputTokens: 0 },
  maxAnswerBytes: 2 * 1024 * 1024,
} as const satisfies Partial<OpenAiSettings>;
