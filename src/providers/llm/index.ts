import type { Config } from '../../config/index.ts';
import { governedExtractor } from '../governor.ts';
import type { Govern } from '../limits.ts';
import { openLocalExtractor } from './local.ts';
import type { Extractor } from './port.ts';

interface Tools {
  govern: Govern;
}

/** The extractors there are. Only the chosen one looks at its settings, and only its SDK is loaded. */
const extractors = {
  local: async () => openLocalExtractor(),
  openai: async (config, { govern }) => {
    const { openOpenAi } = await import('./openai.ts');
    const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } = config;
    const maxInputTokens = config.OPENAI_MAX_INPUT_TOKENS;
    const prices = {
      perMillionInputTokens: config.OPENAI_PRICE_INPUT,
      perMillionOutputTokens: config.OPENAI_PRICE_OUTPUT,
    };
    const extractor = openOpenAi({ apiKey, model, maxInputTokens, prices, ...(baseUrl && { baseUrl }) });
    return governedExtractor(extractor, govern('openai', config.OPENAI_REQUESTS_PER_MINUTE));
  },
} satisfies Record<string, (config: Config, tools: Tools) => Promise<Extractor>>;

export function openExtractor(config: Config, tools: Tools): Promise<Extractor> {
  const automatic = config.OPENAI_API_KEY ? 'openai' : 'local';
  return extractors[config.MILLRACE_LLM === 'auto' ? automatic : config.MILLRACE_LLM](config, tools);
}
