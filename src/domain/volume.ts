/**
 * One file of a split archive, by its name. The main volume is the one that the archive is opened
 * by: the first one, except for `.zip` with `.z01`, where it is the last.
 */
export interface Volume {
  kind: VolumeKind;
  /** The name that all volumes share, in lower case. */
  set: string;
  /** The main volume is 1. */
  number: number;
}

const kinds = ['split', 'rar', 'oldRar', 'zip'] as const;
export type VolumeKind = (typeof kinds)[number];

const isMain = ({ number }: Volume): boolean => number === 1;

interface Naming {
  /** The name of the set, and what the number follows from. */
  pattern: RegExp;
  toNumber(text: string, letter: string): number;
}

const main = () => 1;
/** `.r00` to `.r99`, then `.s00` and so on. */
const oldNumber = (digits: string, letter: string) =>
  2 + Number(digits) + 100 * (letter.toLowerCase().charCodeAt(0) - 'r'.charCodeAt(0));

const namings: readonly (Naming & { kind: VolumeKind })[] = [
  { kind: 'split', pattern: /^(.+\.[a-z0-9]{1,5})\.(\d{3,4})$/i, toNumber: Number },
  { kind: 'rar', pattern: /^(.+)\.part(\d{1,5})\.rar$/i, toNumber: Number },
  { kind: 'zip', pattern: /^(.+)\.z(\d\d)$/i, toNumber: (digits) => 1 + Number(digits) },
  { kind: 'oldRar', pattern: /^(.+)\.(?<letter>[r-y])(\d\d)$/i, toNumber: oldNumber },
  { kind: 'oldRar', pattern: /^(.+)\.rar$/i, toNumber: main },
  { kind: 'zip', pattern: /^(.+)\.zip$/i, toNumber: main },
];

export function parseVolume(name: string): Volume | undefined {
  for (const { kind, pattern, toNumber } of namings) {
    const match = pattern.exec(name);
    if (!match) continue;
    const number = toNumber(match.at(-1) ?? '', match.groups?.letter ?? '');
    return number >= 1 ? { kind, set: (match[1] ?? '').toLowerCase(), number } : undefined;
  }
  return undefined;
}

/** Whether the name alone does not show that there are further volumes. */
export function looksWhole(volume: Volume): boolean {
  return isMain(volume) && (volume.kind === 'oldRar' || volume.kind === 'zip');
}

/** The name of another volume of the same set, spelled as in `like`, which belongs to it. */
export function volumeName(like: string, { kind }: Volume, number: number): string {
  const padded = (digits: string, value: number) => String(value).padStart(digits.length, '0');
  if (kind === 'split') return like.replace(/\d+$/, (digits) => padded(digits, number));
  if (kind === 'rar')
    return like.replace(/(\d+)(\.rar)$/i, (_, digits, end) => `${padded(digits, number)}${end}`);
  const base = like.replace(/\.[^.]+$/, '');
  const extension =
    kind === 'zip' ? 'z' : String.fromCharCode(114 + Math.floor((number - 2) / 100));
  const rest = kind === 'zip' ? number - 1 : (number - 2) % 100;
  if (number === 1) return `${base}.${kind === 'zip' ? 'zip' : 'rar'}`;
  return `${base}.${extension}${padded('00', rest)}`;
}
