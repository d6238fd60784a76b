/** Country code and IBAN length, from the ISO 13616 registry. */
const registered =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ' +
  'ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
  'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 ' +
  'QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20';

const lengths: ReadonlyMap<string, number> = new Map(
  registered.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Checks the length and the check digits (ISO 7064, mod 97). White space is allowed. */
export function isIban(text: string): boolean {
  const compact = compactIban(text);
  if (
    !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(compact) ||
    lengths.get(compact.slice(0, 2)) !== compact.length
  )
    return false;
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(parseInt(letter, 36)),
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

export function compactIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}

interface IbanMatch {
  value: string;
  start: number;
  end: number;
}

/** The IBANs in a text that have valid check digits. */
export function findIbans(text: string): IbanMatch[] {
  return [...text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g)].flatMap(
    ({ 0: run, index }) => {
      const end = endOfIban(run);
      const printed = end === undefined ? '' : run.slice(0, end);
      return isIban(printed)
        ? { value: compactIban(printed), start: index, end: index + printed.length }
        : [];
    },
  );
}

/** The index after the last character of the IBAN, given the length used by its country. */
function endOfIban(run: string): number | undefined {
  let left = lengths.get(run.slice(0, 2));
  if (left === undefined) return undefined;
  for (let at = 0; at < run.length; at++) {
    if (run[at] !== ' ' && --left === 0) return at + 1;
  }
  return undefined;
}
