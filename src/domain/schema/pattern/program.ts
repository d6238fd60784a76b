import type { PatternNode } from './syntax.ts';

/** A pattern as instructions for `search`. */
export type Instruction =
  | { kind: 'character'; fits(character: string): boolean }
  /** Continue at both places; the first is preferred. */
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { kind: 'match' };

/** Compiles a pattern. Repetitions beyond the longest value are left out: they cannot match. */
export function compile(pattern: PatternNode, longestValue: number): Instruction[] {
  const program: Instruction[] = [];
  const fitters = new Map<string, (character: string) => boolean>();

  const add = (node: PatternNode): void => {
    switch (node.kind) {
      case 'atom': {
        const fits = fitters.get(node.source) ?? fitter(node.source);
        fitters.set(node.source, fits);
        program.push({ kind: 'character', fits });
        return;
      }
      case 'sequence':
        for (const part of node.parts) add(part);
        return;
      case 'choice':
        addChoice(node.options);
        return;
      case 'repetition': {
        const least = Math.min(node.least, longestValue + 1);
        for (let i = 0; i < least; i++) add(node.of);
        if (node.most > longestValue) addLoop(node.of);
        else addOptional(node.of, node.most - least);
        return;
      }
      default:
        node satisfies never;
    }
  };

  const addChoice = ([option, ...others]: readonly PatternNode[]): void => {
    if (!option) return;
    if (others.length === 0) {
      add(option);
      return;
    }
    const split = reserve();
    add(option);
    const jump = reserve();
    program[split] = { kind: 'split', first: split + 1, second: program.length };
    addChoice(others);
    program[jump] = { kind: 'jump', to: program.length };
  };

  const addLoop = (of: PatternNode): void => {
    const split = reserve();
    add(of);
    program.push({ kind: 'jump', to: split });
    program[split] = { kind: 'split', first: split + 1, second: program.length };
  };

  const addOptional = (of: PatternNode, times: number): void => {
    const splits: number[] = [];
    for (let i = 0; i < times; i++) {
      splits.push(reserve());
      add(of);
    }
    for (const split of splits)
      program[split] = { kind: 'split', first: split + 1, second: program.length };
  };

  /** A place that is filled in when its targets are known. */
  const reserve = (): number => program.push({ kind: 'match' }) - 1;

  add(pattern);
  program.push({ kind: 'match' });
  return program;
}

/** Classes and escapes mean what they mean in JavaScript. Each character is tested once. */
function fitter(source: string): (character: string) => boolean {
  const pattern = new RegExp(`^(?:${source})$`, 'u');
  const known = new Map<string, boolean>();
  return (character) => {
    const found = known.get(character) ?? pattern.test(character);
    if (known.size < testsAtMost) known.set(character, found);
    return found;
  };
}

const testsAtMost = 1_000;
