import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { SetupError } from '../errors.ts';
import type { Finding } from './check.ts';
import { reachUrl } from './reach.ts';

const models = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Lists the models, which is free and verifies the key. */
export async function examineOpenAi(config: Config): Promise<Finding> {
  const {
    OPENAI_BASE_URL: base = 'https://api.openai.com/v1',
    OPENAI_API_KEY: key = '',
    OPENAI_MODEL: model,
  } = config;
  const { host } = new URL(base);
  const headers = { authorization: `Bearer ${key}` };
  const response = await reachUrl(
    `${base.replace(/\/+$/, '')}/models`,
    { headers },
    'Check OPENAI_BASE_URL.',
  );
  if (response.status === 401 || response.status === 403)
    throw new SetupError(`${host} rejects the key (${response.status}).`, 'Check OPENAI_API_KEY.');
  const listed = models.safeParse(await response.json().catch(() => undefined));
  if (!listed.success)
    return {
      found: `${host} did not list its models (status ${response.status})`,
      fix: `Make sure that it serves the model ${model}.`,
    };
  if (listed.data.data.some(({ id }) => id === model))
    return { found: `${host} accepts the key and offers ${model}` };
  return {
    found: `${host} accepts the key, but does not list ${model}`,
    fix: 'Check OPENAI_MODEL.',
  };
}
