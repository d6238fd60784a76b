import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { SetupError } from '../errors.ts';
import type { Finding } from './check.ts';
import { reachUrl } from './reach.ts';

const models = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Asks for the list of models: costs nothing, and shows whether the key is taken. */
export async function examineOpenAi(config: Config): Promise<Finding> {
  const {
    OPENAI_BASE_URL: base = 'https://api.openai.com/v1',
    OPENAI_API_KEY: key = '',
    OPENAI_MODEL: model,
  } = config;
  const { host } = new URL(base);
  const headers = { authorization: `Bearer ${key}` };
  const answer = await reachUrl(
    `${base.replace(/\/+$/, '')}/models`,
    { headers },
    'Check OPENAI_BASE_URL.',
  );
  if (answer.status === 401 || answer.status === 403)
    throw new SetupError(`${host} refuses the key (${answer.status}).`, 'Check OPENAI_API_KEY.');
  const listed = models.safeParse(await answer.json().catch(() => undefined));
  if (!listed.success)
    return {
      found: `${host} answers ${answer.status}`,
      fix: `Make sure that it offers the model ${model}.`,
    };
  if (listed.data.data.some(({ id }) => id === model))
    return { found: `${host} takes the key and offers ${model}` };
  return { found: `${host} takes the key, but does not list ${model}`, fix: 'Check OPENAI_MODEL.' };
}
