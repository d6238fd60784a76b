import { z } from 'zod';
import { keys } from '../lib/keys.ts';
import { env, isSecret } from './env/index.ts';
import { stageSettings, stageVariable } from './stages.ts';

/** The text of `.env.example`: every variable, commented out, with default and description. */
export function envExample(stageNames: readonly string[]): string {
  const lines = [
    '# Millrace reads these variables from the environment or from a file named .env. All are optional.',
    '# A secret can also be read from a file: set NAME_FILE to its path. Durations: 90s, 15m, 24h, 30d.',
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
  lines.push('# Settings of each stage, and of its large lane if it has one:', '');
  for (const setting of keys(stageSettings)) {
    lines.push(`# ${stageSettings[setting].description}`);
    lines.push(...stageNames.map((stage) => `#${stageVariable(stage, setting)}=`), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The default, as it would be written in the environment. */
function defaultOf(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return '';
  const value: unknown = schema.def.defaultValue;
  return Array.isArray(value) ? value.join(',') : String(value);
}
