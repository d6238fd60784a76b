import type { Bench } from './bench.ts';

export type Contestants<Name extends string> = Record<Name, () => Promise<number>>;

/**
 * Runs every contestant once per round. The starting order rotates, so that no contestant always
 * gets the warm machine.
 */
export async function interleave<Name extends string>(
  { rounds, note }: Pick<Bench, 'rounds' | 'note'>,
  contestants: Contestants<Name>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] as Name;
      const value = await contestants[name]();
      samples[name].push(value);
      note(`round ${round + 1}: ${name} ${value.toPrecision(4)}`);
    }
  }
  return samples;
}
