import type { Instruction } from './program.ts';

interface Match {
  /** Indices of characters. */
  start: number;
  end: number;
}

interface Options {
  /** Whether a match may start here. */
  startsAt(index: number): boolean;
  endsAt(index: number): boolean;
}

/** A way through the program: the instruction it is at, and where its match starts. */
interface Thread {
  at: number;
  start: number;
}

/**
 * The first match, as JavaScript would find it by trying, but following all ways through the
 * program at once: each character meets each instruction at most once, so no pattern is slow.
 */
export function search(
  program: readonly Instruction[],
  characters: readonly string[],
  { startsAt, endsAt }: Options,
): Match | undefined {
  let threads: Thread[] = [];
  let best: Match | undefined;
  for (let index = 0; index <= characters.length; index++) {
    if (!best && startsAt(index)) threads.push({ at: 0, start: index });
    const character = characters[index];
    const next: Thread[] = [];
    for (const { at, start } of follow(program, threads)) {
      const instruction = program[at];
      if (instruction?.kind === 'match') {
        if (!endsAt(index)) continue;
        best = { start, end: index };
        // The ways behind this one are less preferred.
        break;
      }
      if (
        instruction?.kind === 'character' &&
        character !== undefined &&
        instruction.fits(character)
      )
        next.push({ at: at + 1, start });
    }
    if (best && next.length === 0) return best;
    threads = next;
  }
  return best;
}

/** The characters and matches that threads lead to, in order of preference. */
function follow(program: readonly Instruction[], threads: readonly Thread[]): Thread[] {
  const visited = new Set<number>();
  const reached: Thread[] = [];
  for (const { at, start } of threads) {
    const stack = [at];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (visited.has(place)) continue;
      visited.add(place);
      const instruction = program[place];
      if (instruction?.kind === 'split') stack.push(instruction.second, instruction.first);
      else if (instruction?.kind === 'jump') stack.push(instruction.to);
      else reached.push({ at: place, start });
    }
  }
  return reached;
}
