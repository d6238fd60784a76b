/** Prices in US dollars, as vendors publish them. */
export interface Prices {
  perMillionInputTokens: number;
  perMillionOutputTokens: number;
}

export interface Use {
  inputTokens?: number;
  outputTokens?: number;
}

/** Records the cost of a vendor call in millionths of a dollar, even if later steps fail. */
export type Charge = (micros: number) => void;

/** Cost of a call in millionths of a dollar: a dollar per million tokens is one micro per token. */
export function costMicros({ inputTokens = 0, outputTokens = 0 }: Use, prices: Prices): number {
  const { perMillionInputTokens, perMillionOutputTokens } = prices;
  return Math.round(inputTokens * perMillionInputTokens + outputTokens * perMillionOutputTokens);
}
