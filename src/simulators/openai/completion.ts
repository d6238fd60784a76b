import type { OpenAiFault } from './fault.ts';
import { findValues } from './find-values.ts';
import { garbage } from './garbage.ts';
import { type ChatRequest, documentIn, type FieldSchema, schemaIn } from './request.ts';

/** Builds a chat completion. A fault may corrupt the content, not the envelope. */
export function completionFor(
  request: ChatRequest,
  fault: OpenAiFault | undefined,
  id: number,
): object {
  const schema = schemaIn(request);
  const good = schema
    ? JSON.stringify(answerTo(schema, documentIn(request)))
    : 'There is no schema in the prompt.';
  const content = fault?.kind === 'garbage' ? garbage[fault.of](good) : good;
  const prompt = request.messages.map((message) => message.content).join('\n');
  const choice = buildChoice(fault, content);
  const usage = {
    prompt_tokens: tokensIn(prompt),
    completion_tokens: tokensIn(choice.message.content ?? ''),
  };
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [{ index: 0, logprobs: null, ...choice }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}

function answerTo(schema: FieldSchema, text: string): object {
  const types = schema.properties.type?.enum;
  return types ? { type: chooseType(text, types) } : findValues(text, schema);
}

/** The first type whose name appears in the document, else the last one. */
function chooseType(text: string, types: readonly string[]): string | undefined {
  return (
    types.find((name) => text.toLowerCase().includes(name.replaceAll('-', ' '))) ?? types.at(-1)
  );
}

interface Choice {
  finish_reason: 'stop' | 'length';
  message: { role: 'assistant'; content: string | null; refusal: string | null };
}

function buildChoice(fault: OpenAiFault | undefined, content: string): Choice {
  const message = { role: 'assistant', content, refusal: null } as const;
  if (fault?.kind === 'refusal') {
    return {
      finish_reason: 'stop',
      message: { ...message, content: null, refusal: 'I cannot help with that.' },
    };
  }
  if (fault?.kind !== 'length') return { finish_reason: 'stop', message };
  return {
    finish_reason: 'length',
    message: { ...message, content: content.slice(0, content.length / 2) },
  };
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
