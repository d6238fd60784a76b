import iconv from 'iconv-lite';

/** Code pages of Windows whose name is not `cp` and their number. */
const names: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'cp949',
  950: 'big5',
  1200: 'utf16-le',
  1201: 'utf16-be',
  1361: 'johab',
  10000: 'macroman',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10029: 'maccenteuro',
  10081: 'macturkish',
  20127: 'ascii',
  20866: 'koi8-r',
  21866: 'koi8-u',
  51932: 'euc-jp',
  51949: 'euc-kr',
  65001: 'utf8',
};

/** Decodes bytes in a Windows code page; windows-1252 if the page is unknown. */
export function decodeCodePage(bytes: Buffer, codePage: number): string {
  const name =
    names[codePage] ??
    (codePage >= 28591 && codePage <= 28605 ? `iso-8859-${codePage - 28590}` : `cp${codePage}`);
  return iconv.decode(bytes, iconv.encodingExists(name) ? name : 'cp1252');
}

/** Primary languages that are not written in windows-1252, and the code pages for them. */
const byLanguage: Record<number, number> = {
  1: 1256,
  2: 1251,
  4: 936,
  5: 1250,
  8: 1253,
  13: 1255,
  14: 1250,
  17: 932,
  18: 949,
  21: 1250,
  24: 1250,
  25: 1251,
  26: 1250,
  27: 1250,
  28: 1250,
  30: 874,
  31: 1254,
  34: 1251,
  35: 1251,
  36: 1250,
  37: 1257,
  38: 1257,
  39: 1257,
  41: 1256,
  42: 1258,
  47: 1251,
};
const traditionalChinese = new Set([0x0404, 0x0c04, 0x1404]);

/** The ANSI code page that Windows uses for a language (LCID). */
export function codePageOfLanguage(language: number): number {
  if (traditionalChinese.has(language)) return 950;
  return byLanguage[language & 0x3ff] ?? 1252;
}
