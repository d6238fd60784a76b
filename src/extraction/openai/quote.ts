import type { Use } from '../../domain/cost.ts';
import { estimateTokens } from './excerpt.ts';
import type { Message } from './prompt.ts';

/** What the list of problems in a second question takes, with room to spare. */
const COMPLAINT_TOKENS = 2_000;

/** The most that a question takes: answered at full length. */
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

/** The same where a second question may follow, with the first answer in it. */
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
