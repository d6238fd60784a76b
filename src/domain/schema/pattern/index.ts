import { costOf } from './cost.ts';
import { compile, type Instruction } from './program.ts';
import { search } from './search.ts';
import { parsePattern, withoutAnchors } from './syntax.ts';

/**
 * Tenants share workers, so a tenant's pattern must not slow them down. Patterns are matched in
 * linear time. Those that vary very much are refused, because they are mistakes.
 */
const longestPattern = 200;
const longestValue = 100;
const mostWork = 1e7;

/** Why a pattern is refused; undefined when it is accepted. */
export function faultOfPattern(source: string): string | undefined {
  if (source.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    const { ways, steps } = costOf(parsePattern(source), longestValue);
    if (!(ways * steps <= mostWork))
      return 'may take too long: use fewer "*" and "+", and none on a group that varies';
    // Reports what is wrong with a class, which is not parsed here.
    new RegExp(withoutAnchors(source), 'u');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether the whole value matches. */
export function hasForm(value: string, pattern: string): boolean {
  if (value.length > longestValue) return false;
  const characters = [...value];
  const found = search(programOf(pattern), characters, {
    startsAt: (index) => index === 0,
    endsAt: (index) => index === characters.length,
  });
  return found !== undefined;
}

/** The first match that starts and ends at word boundaries. */
export function findForm(
  text: string,
  pattern: string,
): { value: string; start: number; end: number } | undefined {
  const characters = [...text.slice(0, longestValue)];
  const inWord = characters.map((character) => /[\p{L}\d]/u.test(character));
  const found = search(programOf(pattern), characters, {
    startsAt: (index) => !inWord[index - 1],
    endsAt: (index) => !inWord[index],
  });
  if (!found || found.start === found.end) return undefined;
  const value = characters.slice(found.start, found.end).join('');
  const start = characters.slice(0, found.start).join('').length;
  return { value, start, end: start + value.length };
}

const programs = new Map<string, readonly Instruction[]>();
const programsAtMost = 1_000;

function programOf(pattern: string): readonly Instruction[] {
  const known = programs.get(pattern);
  if (known) return known;
  if (programs.size >= programsAtMost) programs.clear();
  const program = compile(parsePattern(pattern), longestValue);
  programs.set(pattern, program);
  return program;
}
