import type { Prices } from '../../domain/cost.ts';

export interface OpenAiSettings {
  /** Local servers accept any value. */
  apiKey: string;
  /** URL of any server that implements the OpenAI API. Ends in `/v1`. */
  baseUrl?: string;
  model: string;
  /** Deadline for one call. */
  timeoutMs?: number;
  /** Wait before retrying a failed repair call, whose loss would waste a paid answer. */
  pauseMs?: number;
  /** Limit for the prompt. Longer documents lose pages from the middle. */
  maxInputTokens?: number;
  maxOutputTokens?: number;
  /** If absent, no cost is recorded. */
  prices?: Prices;
  /** Responses larger than this are aborted. */
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
