/**
 * Tenants share workers, so a tenant's pattern must not cause catastrophic backtracking. The
 * worst-case number of ways to match is counted in advance, and expensive patterns are refused.
 */
const longestPattern = 200;
const longestValue = 100;
const mostWork = 1e7;

/** Why a pattern is refused; undefined when it is accepted. */
export function faultOfPattern(source: string): string | undefined {
  if (source.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    const { ways, steps } = costOf(source);
    if (!(ways * steps <= mostWork))
      return 'may take too long: use fewer "*" and "+", and none on a group that varies';
    whole(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether the whole value matches. */
export function hasForm(value: string, pattern: string): boolean {
  return value.length <= longestValue && whole(pattern).test(value);
}

/** The first match that starts and ends at word boundaries. */
export function findForm(
  text: string,
  pattern: string,
): { value: string; start: number; end: number } | undefined {
  const match = new RegExp(`(?<![\\p{L}\\d])(?:${bare(pattern)})(?![\\p{L}\\d])`, 'u').exec(
    text.slice(0, longestValue),
  );
  return match?.[0]
    ? { value: match[0], start: match.index, end: match.index + match[0].length }
    : undefined;
}

function whole(source: string): RegExp {
  return new RegExp(`^(?:${bare(source)})$`, 'u');
}

function bare(source: string): string {
  return source.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
}

const repetition = String.raw`[*+?]|\{\d+(?:,\d*)?\}`;
const atom = [
  String.raw`\[(?:\\.|[^\\\]])*\]`,
  String.raw`\\p\{\w+\}`,
  String.raw`\\[dDwWsS]`,
  String.raw`\\[^\p{L}\d]`,
  String.raw`[^\\()[\]{}*+?|^$]`,
].join('|');
const token = new RegExp(
  String.raw`(?<open>\((?:\?:)?(?!\?))|(?<close>\))|(?<or>\|)|(?<atom>${atom})(?<times>${repetition})?|(?<fault>.)`,
  'gsu',
);
const behindGroup = new RegExp(`^(?:${repetition})`);

interface Cost {
  /** Worst-case number of ways to match. */
  ways: number;
  /** Characters inspected in one of them. */
  steps: number;
}

/** A group being parsed: the ways of its finished alternatives, and the current one. */
interface Open extends Cost {
  over: number;
}

function costOf(source: string): Cost {
  const text = bare(source);
  const open: Open[] = [begun()];
  const pattern = new RegExp(token);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { groups = {}, index } = match;
    const inner = open.at(-1);
    if (groups.fault || !inner)
      throw new Error(`"${groups.fault}" at ${index + 1} is not supported in patterns`);
    if (groups.open) open.push(begun());
    else if (groups.or) Object.assign(inner, { over: inner.over + inner.ways, ways: 1 });
    else if (groups.atom) add(inner, { ways: 1, steps: 1 }, groups.times);
    else {
      const [howOften] = behindGroup.exec(text.slice(pattern.lastIndex)) ?? [];
      pattern.lastIndex += howOften?.length ?? 0;
      open.pop();
      const outer = open.at(-1);
      if (!outer) throw new Error(`")" at ${index + 1} has no matching "("`);
      add(outer, closed(inner), howOften);
    }
  }
  const [all = begun(), ...unclosed] = open;
  if (unclosed.length > 0) throw new Error('A "(" is not closed');
  return closed(all);
}

function begun(): Open {
  return { over: 0, ways: 1, steps: 1 };
}

function closed({ over, ways, steps }: Open): Cost {
  return { ways: over + ways, steps };
}

/** A sequence multiplies the ways to match; a repetition multiplies them once per round. */
function add(open: Open, { ways, steps }: Cost, howOften: string | undefined): void {
  const [least, most] = timesOf(howOften);
  if (most > longestValue)
    throw new Error(`"${howOften}" exceeds ${longestValue}, the longest value in characters`);
  let sum = 0;
  for (let times = least; times <= most; times++) sum += ways ** times;
  open.ways *= sum;
  open.steps += steps * most;
}

function timesOf(written = '{1}'): [least: number, most: number] {
  if (written === '?') return [0, 1];
  if (written === '*' || written === '+') return [0, longestValue];
  const [least = 0, most = least] = written.slice(1, -1).split(',').map(Number);
  return [least, written.endsWith(',}') ? longestValue : most];
}
