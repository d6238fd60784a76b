import type { Verdict } from '../api/types.ts';

/** Why a value is in doubt: by itself, or because a rule between fields names it. */
export function findDoubt(name: string, { fields, reasons }: Verdict): string | undefined {
  const { ok = true, reason } = fields[name] ?? {};
  if (!ok) return reason ?? 'is in doubt';
  const isNamed = new RegExp(`\\b${name}\\b`);
  return reasons.find((each) => isNamed.test(each) && !isOfField(each, fields));
}

/** The reason of a single field starts with its name. */
function isOfField(reason: string, fields: Verdict['fields']): boolean {
  return fields[reason.split(' ')[0] ?? '']?.ok === false;
}
