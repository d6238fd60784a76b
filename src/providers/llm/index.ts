import type { Config } from '../../config/index.ts';
import { openLocalExtractor } from './local.ts';
import { openOpenAi } from './openai.ts';
import type { Extractor } from './port.ts';

/** The extractors there are. Only the chosen one looks at its settings. */
const extractors = {
  local: () => openLocalExtractor(),
  openai: ({
    OPENAI_API_KEY: apiKey = '',
    OPENAI_BASE_URL: baseUrl,
    OPENAI_MODEL: model,
    OPENAI_MAX_INPUT_TOKENS: maxInputTokens,
  }) => openOpenAi({ apiKey, model, maxInputTokens, ...(baseUrl && { baseUrl }) }),
} satisfies Record<string, (config: Config) => Extractor>;

export function openExtractor(config: Config): Extractor {
  const automatic = config.OPENAI_API_KEY ? 'openai' : 'local';
  return extractors[config.MILLRACE_LLM === 'auto' ? automatic : config.MILLRACE_LLM](config);
}
