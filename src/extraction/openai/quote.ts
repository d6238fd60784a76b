import type { Use } from '../../domain/cost.ts';
import { estimateTokens } from './excerpt.ts';
import type { Message } from './prompt.ts';

/** Upper bound for the list of problems in a repair prompt. */
const COMPLAINT_TOKENS = 2_000;

/** The maximum usage of one call, with an answer of full length. */
export function mostOfQuestion(
  messages: Message[],
  shape: object,
  maxOutputTokens: number,
): Required<Use> {
  const texts = [...messages.map(({ content }) => content), JSON.stringify(shape)];
  return {
    inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    outputTokens: maxOutputTokens,
  };
}

/** The maximum usage including a repair call, which contains the first answer. */
export function mostWithRepair(
  messages: Message[],
  shape: object,
  maxOutputTokens: number,
): Required<Use> {
  const { inputTokens, outputTokens } = mostOfQuestion(messages, shape, maxOutputTokens);
  return {
    inputTokens: 2 * inputTokens + outputTokens + COMPLAINT_TOKENS,
    outputTokens: 2 * outputTokens,
  };
}
