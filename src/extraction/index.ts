import type { Config } from '../config/index.ts';
import { keys } from '../lib/keys.ts';
import { type Choice, openChoice } from '../providers/choice.ts';
import type { Govern } from '../providers/limits.ts';
import { openLocalExtractor } from './local.ts';
import type { Extractor } from './port.ts';

interface Tools {
  govern: Govern;
}

/** All extractors. Settings are read and SDKs loaded only for the extractors in use. */
const extractors = {
  local: async () => openLocalExtractor(),
  openai: async (config, { govern }) => {
    const { openOpenAi } = await import('./openai/index.ts');
    const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } = config;
    const maxInputTokens = config.OPENAI_MAX_INPUT_TOKENS;
    const prices = {
      perMillionInputTokens: config.OPENAI_PRICE_INPUT,
      perMillionOutputTokens: config.OPENAI_PRICE_OUTPUT,
    };
    const settings = { apiKey, model, maxInputTokens, prices, ...(baseUrl && { baseUrl }) };
    return openOpenAi(settings, govern('openai', config.OPENAI_REQUESTS_PER_MINUTE));
  },
} satisfies Record<string, (config: Config, tools: Tools) => Promise<Extractor>>;

export function usualExtractor({
  MILLRACE_LLM: setting,
  OPENAI_API_KEY: key,
}: Config): keyof typeof extractors {
  if (setting !== 'auto') return setting;
  return key ? 'openai' : 'local';
}

/** Opens the default extractor and the ones a run may request instead. */
export async function openExtractors(
  config: Config,
  tools: Tools,
): Promise<{ usual: Extractor; choice: Choice<Extractor> }> {
  const usual = usualExtractor(config);
  const configured = {
    local: true,
    openai: Boolean(config.OPENAI_API_KEY ?? config.OPENAI_BASE_URL),
  };
  const names = keys(extractors).filter((name) => name === usual || configured[name]);
  const choice = openChoice(
    Object.fromEntries(names.map((name) => [name, () => extractors[name](config, tools)])),
  );
  return { usual: await choice.open(usual), choice };
}
