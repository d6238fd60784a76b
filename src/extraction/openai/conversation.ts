import OpenAI from 'openai';
import { z } from 'zod';
import { cappedFetch } from './capped-fetch.ts';
import { isRefusal, refusesFormat, toFailure } from './failure.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Message } from './prompt.ts';
import type { OpenAiSettings } from './settings.ts';

export interface Reply {
  /** `cut`: the answer reached the token limit. */
  outcome: 'answered' | 'cut' | 'refused';
  content: string;
  model: string;
  tokens: { input: number; output: number };
}

export type Ask = (messages: Message[], schema: JsonSchema, signal: AbortSignal) => Promise<Reply>;

/** Ways to request JSON, best first. */
const formats = ['json_schema', 'json_object', 'text'] as const;

/**
 * Opens a connection to the model. Response formats that the server does not support are
 * remembered.
 */
export function openLine(settings: Required<OpenAiSettings>): Ask {
  const client = new OpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    // Set explicitly, because the SDK would otherwise read them from the environment.
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: settings.timeoutMs,
    fetch: cappedFetch(settings.maxAnswerBytes),
  });
  let level = 0;

  return async function ask(messages, schema, signal): Promise<Reply> {
    const tried = level;
    const format = formats[tried] ?? 'text';
    // The SDK's timeout covers only the headers, and a slow body could take forever.
    const deadline = AbortSignal.timeout(settings.timeoutMs);
    try {
      const completion = await client.chat.completions.create(
        {
          model: settings.model,
          messages,
          response_format: responseFormat(format, schema),
          max_completion_tokens: settings.maxOutputTokens,
        },
        { signal: AbortSignal.any([signal, deadline]) },
      );
      return toReply(completion, settings.model);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted)
        throw new Error(`The model did not answer within ${settings.timeoutMs} ms.`);
      if (isRefusal(error)) return refused(settings.model);
      if (!refusesFormat(error) || format === 'text') throw toFailure(error);
      level = Math.max(level, tried + 1);
      return ask(messages, schema, signal);
    }
  };
}

function responseFormat(format: (typeof formats)[number], schema: JsonSchema) {
  return format === 'json_schema'
    ? { type: format, json_schema: { name: 'document', strict: true, schema } }
    : { type: format };
}

const count = z.int().nonnegative().catch(0);
const completionShape = z.object({
  model: z.string().max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
});

function toReply(completion: unknown, asked: string): Reply {
  const { success, data } = completionShape.safeParse(completion);
  const [choice] = data?.choices ?? [];
  if (!success || !choice) throw new Error('The response of the model is not a chat completion.');
  const { finish_reason: reason, message } = choice;
  const refusal = message.refusal || reason === 'content_filter';
  return {
    outcome: refusal ? 'refused' : reason === 'length' ? 'cut' : 'answered',
    content: message.content ?? '',
    model: data?.model || asked,
    tokens: { input: data?.usage?.prompt_tokens ?? 0, output: data?.usage?.completion_tokens ?? 0 },
  };
}

function refused(model: string): Reply {
  return { outcome: 'refused', content: '', model, tokens: { input: 0, output: 0 } };
}
