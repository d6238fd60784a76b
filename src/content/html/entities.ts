import { asWindows1252 } from '../text/decode-text.ts';

/** Entity names of U+00A0 to U+00FF, in code point order. */
const latin = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
  deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
  Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc
  Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN
  szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
  icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml
  yacute thorn yuml`;

const others = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  euro: '€',
  trade: '™',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '',
  zwj: '',
};

const named = new Map([
  ...latin.split(/\s+/).map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
  ...Object.entries(others),
]);

/** Decodes named and numeric entities; unknown ones stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]\w{1,9}));/gi,
    (entity, decimal, hex, name) => {
      if (name !== undefined) return named.get(name) ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0x10ffff ? entity : asWindows1252(String.fromCodePoint(code));
    },
  );
}
