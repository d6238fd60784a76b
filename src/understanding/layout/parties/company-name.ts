/** Legal forms at the end of company names. */
const legalForms = `sdn bhd|sdn|bhd|[s5]\\/b|sb|plt|pte ltd|pty ltd|ltd|limited|plc|llp|llc|inc|corp|corporation|gmbh(?: & co\\.? kg)?|ag|kg|ug|ohg
  |e\\.? ?k|gbr|se|vof|v\\.o\\.f|lda|slu|s\\.l\\.u|snc|s\\.n\\.c|sas|sarl|s\\.a\\.r\\.l|sas|s\\.a\\.s|sasu|eurl|sa|s\\.a|srl|s\\.r\\.l|spa|s\\.p\\.a|bv|b\\.v|nv|n\\.v|sl|s\\.l|ab|oy|aps|a\\/s|sp\\. z o\\.o|co`;

/** Words that indicate a business without a legal form. */
const trades = `enterprise|enterprises|trading|restaurant|restoran|kedai|hardware|stationery|bookstore|bookstores|shop|store|stores|mart|market
  |supermarket|hypermarket|cafe|café|coffee|bakery|bakeries|pharmacy|hotel|books|company|marketing|group|holdings|industries|services|solutions
  |retail|syarikat|perniagaan|bistro|kitchen|boutique|garage|autohaus|apotheke|bäckerei|metzgerei|gasthaus|boulangerie|pharmacie|librairie`;

const legalForm = new RegExp(`(?<![\\p{L}\\d])(?:${spaced(legalForms)})(?![\\p{L}\\d])\\.?`, 'giu');
/** Text after a legal form that can only end a name: a branch or a mall. */
const afterForm =
  /((?<![\p{L}\d])(?:sdn\.? ?bhd|ltd|limited|inc|llc|gmbh|s\/b|co)(?![\p{L}])\.?)\s+(?!&|\(|co\b|sdn|ltd|limited|inc|kg)[\p{L}\d].*$/iu;
const trade = new RegExp(`(?:${spaced(trades)})(?!\\p{L})`, 'iu');

export function hasLegalForm(text: string): boolean {
  return text.replace(/5(?=\p{L})/gu, 'S').search(legalForm) > 0;
}

export function endsWithLegalForm(text: string): boolean {
  const last = [...text.matchAll(legalForm)].at(-1);
  return last !== undefined && last.index > 0 && last.index + last[0].length === text.length;
}

export function hasTrade(text: string): boolean {
  return trade.test(text);
}

/**
 * Whether the text continues a name from the line above: it starts with a legal form or closes a
 * bracket.
 */
export function continuesName(text: string): boolean {
  const [first] = text.matchAll(legalForm);
  const opens = first?.index === 0 || /^(?:co\.|enterprise|trading|bakery)(?!\p{L})/iu.test(text);
  return opens || /^[^(]*\)/.test(text);
}

/** Whether a bracket opened on one line closes on the next. */
export function closesBracket(text: string, next: string): boolean {
  return /\([^)]*$/.test(text) && /^[^(]*\)/.test(next);
}

/** Only a company's own name is followed by its register number. */
export function hasRegisterNumber(text: string): boolean {
  return /[([<]\s*(?:[^)\]>]*\d){4}[^)\]>]*[)\]>]/.test(text);
}

/** The name without register numbers and anything after them. */
export function trimCompanyName(text: string): string {
  return text
    .replace(/^\W*(?:own(?:ed)?|operated|managed) by\W*/i, '')
    .replace(/\s*[([<{]\s*(?:[^)\]>}]*\d){4}.*$/, '')
    .replace(/(?<=\p{L}\S*\s.*?)\s+[-–]?\s*\d{5,}[\s-]*\w?\W*$/u, '')
    .replace(/\s*\(?(?:co|reg|roc)\.? ?(?:reg|no)\b.*$/i, '')
    .replace(afterForm, '$1')
    .replace(/^[^\p{L}\d(]+|[\s,:;*_|-]+$/gu, '')
    .replace(/\s+/g, ' ');
}

function spaced(alternatives: string): string {
  return alternatives.replace(/\s*\n\s*/g, '').replace(/ /g, '\\.? ?');
}
