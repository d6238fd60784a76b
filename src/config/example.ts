import { z } from 'zod';
import { keys } from '../lib/keys.ts';
import { env, isSecret } from './env/index.ts';
import { stageSettings, stageVariable } from './stages.ts';

/** The text of `.env.example`: every variable, commented out, with its default and meaning. */
export function envExample(stageNames: readonly string[]): string {
  const lines = [
    '# Millrace reads these from the environment or from a file named .env; everything has a default.',
    '# Secrets may be given as NAME_FILE, the path of a file that holds them. Durations: 90s, 15m, 24h.',
    '',
  ];
  for (const name of keys(env.shape)) {
    const schema = env.shape[name];
    lines.push(
      `# ${schema.description}${isSecret(name) ? ' (secret)' : ''}`,
      `#${name}=${defaultOf(schema)}`,
      '',
    );
  }
  lines.push('# Each stage, and its large lane where it has one, by name:', '');
  for (const setting of keys(stageSettings)) {
    lines.push(`# ${stageSettings[setting].description}`);
    lines.push(...stageNames.map((stage) => `#${stageVariable(stage, setting)}=`), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The default as one would write it in the environment. */
function defaultOf(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return '';
  const value: unknown = schema.def.defaultValue;
  return Array.isArray(value) ? value.join(',') : String(value);
}
