/** Prices in US dollars, as vendors publish them. */
export interface Prices {
  perMillionInputTokens: number;
  perMillionOutputTokens: number;
}

export interface Use {
  inputTokens?: number;
  outputTokens?: number;
}

/** Told what a call to a vendor cost, in millionths of a dollar, as soon as that is known: also when what follows fails. */
export type Charge = (micros: number) => void;

/** What a call cost, in millionths of a dollar: a dollar per million tokens is one of them per token. */
export function costMicros({ inputTokens = 0, outputTokens = 0 }: Use, prices: Prices): number {
  const { perMillionInputTokens, perMillionOutputTokens } = prices;
  return Math.round(inputTokens * perMillionInputTokens + outputTokens * perMillionOutputTokens);
}
