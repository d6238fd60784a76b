/** Languages and the encodings that their files were written in before Unicode. */
export const encodingsOf = {
  ja: ['Shift_JIS', 'EUC-JP', 'UTF-16LE', 'UTF-16BE'],
  ko: ['EUC-KR', 'UTF-16LE'],
  'zh-CN': ['GB18030', 'UTF-16LE'],
  'zh-TW': ['Big5', 'UTF-16BE'],
  ru: ['windows-1251', 'KOI8-R', 'ISO-8859-5', 'UTF-16LE'],
  uk: ['windows-1251'],
  bg: ['windows-1251'],
  pl: ['windows-1250', 'ISO-8859-2'],
  cs: ['windows-1250', 'ISO-8859-2'],
  hu: ['windows-1250', 'ISO-8859-2'],
  ro: ['windows-1250', 'ISO-8859-2'],
  el: ['windows-1253', 'ISO-8859-7'],
  he: ['windows-1255', 'ISO-8859-8'],
  ar: ['windows-1256', 'ISO-8859-6'],
  tr: ['windows-1254'],
  lt: ['windows-1257'],
  th: ['windows-874'],
  de: ['windows-1252'],
  fr: ['windows-1252'],
  es: ['windows-1252'],
  sv: ['windows-1252'],
  en: ['UTF-16LE', 'UTF-16BE'],
} as const;

export type Language = keyof typeof encodingsOf;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

/** Names of regions and languages, and dates, as they are written in a language. */
function wordsOf(language: string): string[] {
  const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const languages = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  const days = Array.from({ length: 120 }, (_, i) => dates.format(new Date(2026, 0, 1 + 3 * i)));
  const names = codes.flatMap((code) => [
    regions.of(code) ?? [],
    languages.of(code.toLowerCase()) ?? [],
  ]);
  return [...new Set([...names.flat(), ...days])];
}

/** Texts of about this length, always the same ones. */
export function textsIn(language: Language, count: number, length: number): string[] {
  const words = wordsOf(language);
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < length)
      text += `${words[random(words.length)]}${[', ', ' ', ' ', '\n'][random(4)]}`;
    return text;
  });
}
