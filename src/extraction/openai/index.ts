import { type Charge, costMicros, type Prices } from '../../domain/cost.ts';
import type { Extraction } from '../../domain/extraction.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import { SetupError } from '../../errors.ts';
import { MINUTE, monotonicNow } from '../../lib/time.ts';
import { type Governor, ungoverned } from '../../providers/governor/index.ts';
import { retryVendorCall } from '../../providers/retry-vendor-call.ts';
import type { Extractor } from '../port.ts';
import { type ModelAnswer, readAnswer, readChoice } from './answer.ts';
import type { Ask, Reply } from './conversation.ts';
import { placeQuotes } from './evidence.ts';
import { toChoiceSchema, toStrictJsonSchema } from './json-schema.ts';
import { choicePromptFor, makeRepairPrompt, promptFor } from './prompt.ts';
import { mostOfQuestion, mostWithRepair } from './quote.ts';
import { type OpenAiSettings, openAiDefaults } from './settings.ts';

/** Extracts with a model over the OpenAI API. Every call goes through the governor. */
export function openOpenAi(given: OpenAiSettings, governor: Governor = ungoverned): Extractor {
  const settings = { ...openAiDefaults, ...given };
  if (!settings.apiKey)
    throw new SetupError(
      'No API key is set for the model.',
      'Set OPENAI_API_KEY. Local servers accept any value.',
    );
  // The SDK is large, so processes that use another extractor never load it.
  let line: Promise<Ask> | undefined;
  const connect = async () => (await import('./conversation.ts')).openLine(settings);
  const openLine = async (signal: AbortSignal, charge: Charge = () => undefined): Promise<Ask> => {
    signal.throwIfAborted();
    line ??= connect();
    const ask = await line;
    const governed: Ask = (...question) => governor.run(() => ask(...question), signal);
    return billed(governed, settings.prices, charge);
  };

  return {
    engine: `openai/${settings.model}`,
    deterministic: false,
    quote: (transcription, schema) => {
      const messages = promptFor(transcription, schema, settings.maxInputTokens);
      const most = mostWithRepair(messages, toStrictJsonSchema(schema), settings.maxOutputTokens);
      return costMicros(most, settings.prices);
    },
    async extract(transcription, schema, signal, charge) {
      const ask = await openLine(signal, charge);
      const shape = toStrictJsonSchema(schema);
      const messages = promptFor(transcription, schema, settings.maxInputTokens);
      const first = await ask(messages, shape, signal);
      const answered = parseReply(first, schema);
      const second =
        answered && answered.problems.length > 0
          ? await tryRepair(
              () =>
                ask(makeRepairPrompt(messages, first.content, answered.problems), shape, signal),
              {
                pauseMs: settings.pauseMs,
                signal,
              },
            )
          : undefined;
      const answer = answered && better(parseReply(second, schema), answered);
      const replies = second ? [first, second] : [first];
      const evidence = placeQuotes(answer?.quotes ?? {}, transcription);
      return { ...toConclusion(answer, schema), evidence, ...accountOf(replies, settings.model) };
    },
    quoteChoice: (transcription, types) => {
      const messages = choicePromptFor(transcription, types);
      return costMicros(
        mostOfQuestion(messages, toChoiceSchema(types), settings.maxOutputTokens),
        settings.prices,
      );
    },
    async choose(transcription, types, signal, charge) {
      const ask = await openLine(signal, charge);
      const reply = await ask(choicePromptFor(transcription, types), toChoiceSchema(types), signal);
      const names = types.map(({ name }) => name);
      const type = reply.outcome === 'answered' ? readChoice(reply.content, names) : null;
      return { type, ...accountOf([reply], settings.model) };
    },
    async close() {},
  };
}

/** Every call is billed, even if its answer is unusable. */
function billed(ask: Ask, prices: Prices, charge: Charge): Ask {
  return async (...question) => {
    const reply = await ask(...question);
    charge(
      costMicros({ inputTokens: reply.tokens.input, outputTokens: reply.tokens.output }, prices),
    );
    return reply;
  };
}

/** Must fit in the time the stage has for both calls. */
const repairPatienceMs = 2 * MINUTE;

/**
 * Tries to repair an answer. The first answer is already paid for, so a failed repair must not
 * discard it.
 */
async function tryRepair(
  ask: () => Promise<Reply>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<Reply | undefined> {
  const giveUpAt = monotonicNow() + repairPatienceMs;
  try {
    return await retryVendorCall(ask, {
      isWorthIt: () => monotonicNow() < giveUpAt,
      pauseMs,
      signal,
    });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/**
 * Undefined if a repair is pointless: a refusal stays a refusal, and a truncated answer would be
 * truncated again.
 */
function parseReply(reply: Reply | undefined, schema: DocumentSchema): ModelAnswer | undefined {
  return reply?.outcome === 'answered' ? readAnswer(reply.content, schema) : undefined;
}

function better(second: ModelAnswer | undefined, first: ModelAnswer): ModelAnswer {
  return second && second.problems.length <= first.problems.length ? second : first;
}

type Conclusion = Pick<
  Extraction,
  'schema' | 'fields' | 'confidence' | 'missing_fields' | 'extraction_successful'
>;

/** Fields that could not be read count as missing, whatever the model claims. */
function toConclusion(answer: ModelAnswer | undefined, schema: DocumentSchema): Conclusion {
  const fields = answer?.fields ?? {};
  return {
    schema: schema.name,
    fields,
    confidence: answer && answer.problems.length === 0 ? answer.confidence : 'low',
    missing_fields: Object.keys(schema.fields).filter((name) => !Object.hasOwn(fields, name)),
    extraction_successful: Boolean(answer?.successful) && Object.keys(fields).length > 0,
  };
}

function accountOf(replies: Reply[], model: string): Pick<Extraction, 'model' | 'tokens'> {
  const sum = (side: 'input' | 'output') =>
    replies.reduce((total, { tokens }) => total + tokens[side], 0);
  return {
    model: replies.at(-1)?.model ?? model,
    tokens: { input: sum('input'), output: sum('output') },
  };
}
