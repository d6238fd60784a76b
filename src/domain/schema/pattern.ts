/**
 * Patterns come from people who share workers with others. Only what a backtracking matcher is done with quickly is
 * taken: the ways to match are counted beforehand, at the worst.
 */
const longestPattern = 200;
const longestValue = 100;
const mostWork = 1e7;

/** Why a pattern cannot be taken. */
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

/** Whether the whole value has the form. */
export function hasForm(value: string, pattern: string): boolean {
  return value.length <= longestValue && whole(pattern).test(value);
}

/** The first run of whole words and numbers that has the form. */
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
  /** In how many ways it may match, at the worst. */
  ways: number;
  /** How much is looked at in one of them. */
  steps: number;
}

/** Alternatives that are over, and the one that goes on. */
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
      throw new Error(`"${groups.fault}" at ${index + 1} is not taken in patterns`);
    if (groups.open) open.push(begun());
    else if (groups.or) Object.assign(inner, { over: inner.over + inner.ways, ways: 1 });
    else if (groups.atom) add(inner, { ways: 1, steps: 1 }, groups.times);
    else {
      const [howOften] = behindGroup.exec(text.slice(pattern.lastIndex)) ?? [];
      pattern.lastIndex += howOften?.length ?? 0;
      open.pop();
      const outer = open.at(-1);
      if (!outer) throw new Error(`")" at ${index + 1} closes nothing`);
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

/** What follows is tried in every way that led there; what repeats, in every way of each time. */
function add(open: Open, { ways, steps }: Cost, howOften: string | undefined): void {
  const [least, most] = timesOf(howOften);
  if (most > longestValue) throw new Error(`"${howOften}" is more often than a value is long`);
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
