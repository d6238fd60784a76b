/** The line of an address with its postcode, in European and North American formats. */
export function isTown(text: string): boolean {
  return forms.some((form) => form.test(text));
}

const before = String.raw`(?<![\p{L}\d./-]|\d )`;
const name = String.raw`\p{Lu}[\p{L}.'’-]+`;

const forms = [
  // 80333 München, F-69002 Lyon, DE 12345 Leipzig, 3526 KM Utrecht
  new RegExp(String.raw`${before}(?:[A-Z]{1,2}[- ])?\d{4,5}(?: ?[A-Z]{2})? +${name}`, 'u'),
  // 411 06 Göteborg
  new RegExp(String.raw`${before}\d{3} \d{2} +${name}`, 'u'),
  // 30-019 Kraków, 4050-265 Porto
  new RegExp(String.raw`${before}(?:\d{2}-\d{3}|\d{4}-\d{3}) +${name}`, 'u'),
  // Leeds LS2 7QA
  /(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![\p{L}\d])/u,
  // Boston, MA 02108
  /(?<![\p{L}\d])[A-Z]{2} +\d{5}(?:-\d{4})?(?![\p{L}\d])/u,
];
