/** A pattern as a tree. */
export type PatternNode =
  /** One character. */
  | { kind: 'atom'; source: string }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | { kind: 'repetition'; of: PatternNode; least: number; most: number; written: string };

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

/** A group being parsed: its finished alternatives, the last of which is still open. */
type Open = PatternNode[][];

/**
 * Parses the part of the syntax of JavaScript that can be matched in linear time: characters,
 * classes, groups, alternatives and repetitions. Throws with a sentence on anything else.
 */
export function parsePattern(source: string): PatternNode {
  const text = withoutAnchors(source);
  const open: Open[] = [[[]]];
  const pattern = new RegExp(token);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { groups = {}, index } = match;
    const inner = open.at(-1);
    if (groups.fault || !inner)
      throw new Error(`"${groups.fault}" at ${index + 1} is not supported in patterns`);
    if (groups.open) open.push([[]]);
    else if (groups.or) inner.push([]);
    else if (groups.atom)
      inner.at(-1)?.push(repeated({ kind: 'atom', source: groups.atom }, groups.times));
    else {
      const [howOften] = behindGroup.exec(text.slice(pattern.lastIndex)) ?? [];
      pattern.lastIndex += howOften?.length ?? 0;
      open.pop();
      const outer = open.at(-1)?.at(-1);
      if (!outer) throw new Error(`")" at ${index + 1} has no matching "("`);
      outer.push(repeated(closed(inner), howOften));
    }
  }
  const [all = [], ...unclosed] = open;
  if (unclosed.length > 0) throw new Error('A "(" is not closed');
  return closed(all);
}

/** Patterns are for the whole value, so anchors around them say nothing new. */
export function withoutAnchors(source: string): string {
  return source.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
}

function closed(alternatives: Open): PatternNode {
  const options = alternatives.map((parts): PatternNode => ({ kind: 'sequence', parts }));
  const [only] = options;
  return options.length === 1 && only ? only : { kind: 'choice', options };
}

function repeated(of: PatternNode, written: string | undefined): PatternNode {
  if (written === undefined) return of;
  const [least, most] = timesOf(written);
  return { kind: 'repetition', of, least, most, written };
}

function timesOf(written: string): [least: number, most: number] {
  if (written === '?') return [0, 1];
  if (written === '*') return [0, Number.POSITIVE_INFINITY];
  if (written === '+') return [1, Number.POSITIVE_INFINITY];
  const [least = 0, most = least] = written.slice(1, -1).split(',').map(Number);
  return [least, written.endsWith(',}') ? Number.POSITIVE_INFINITY : most];
}
