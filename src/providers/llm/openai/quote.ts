import type { Use } from '../../../domain/cost.ts';
import type { DocumentSchema } from '../../../domain/schema.ts';
import { estimateTokens } from './excerpt.ts';
import { toStrictJsonSchema } from './json-schema.ts';
import type { Message } from './prompt.ts';

/** What the list of problems in a second question takes, with room to spare. */
const COMPLAINT_TOKENS = 2_000;

/** The most that a document can take: two questions, both answered at full length, the second with the first answer in it. */
export function mostTokens(messages: Message[], schema: DocumentSchema, maxOutputTokens: number): Required<Use> {
  const texts = [...messages.map(({ content }) => content), JSON.stringify(toStrictJsonSchema(schema))];
  const question = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return {
    inputTokens: 2 * question + maxOutputTokens + COMPLAINT_TOKENS,
    outputTokens: 2 * maxOutputTokens,
  };
}
