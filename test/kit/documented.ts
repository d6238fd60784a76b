import { readFile } from 'node:fs/promises';

/** The Redis user that docs/configuration.md tells to create. */
export async function minimalAcl(password: string): Promise<{ user: string; rules: string[] }> {
  const text = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const [, user = '', rules = ''] = /^ACL SETUSER (\S+) (.+)$/m.exec(text) ?? [];
  return { user, rules: rules.replace('>PASSWORD', `>${password}`).split(' ') };
}
