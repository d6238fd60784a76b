/** Legal forms, which end a company's name. */
const legalForms = `sdn bhd|sdn|bhd|[s5]\\/b|sb|plt|pte ltd|pty ltd|ltd|limited|plc|llp|llc|inc|corp|corporation|gmbh(?: & co\\.? kg)?|ag|kg|ug|ohg
  |e\\.? ?k|gbr|se|vof|v\\.o\\.f|lda|slu|s\\.l\\.u|snc|s\\.n\\.c|sas|sarl|s\\.a\\.r\\.l|sas|s\\.a\\.s|sasu|eurl|sa|s\\.a|srl|s\\.r\\.l|spa|s\\.p\\.a|bv|b\\.v|nv|n\\.v|sl|s\\.l|ab|oy|aps|a\\/s|sp\\. z o\\.o|co`;

/** Words that name a business though no legal form stands behind them. */
const trades = `enterprise|enterprises|trading|restaurant|restoran|kedai|hardware|stationery|bookstore|bookstores|shop|store|stores|mart|market
  |supermarket|hypermarket|cafe|café|coffee|bakery|bakeries|pharmacy|hotel|books|company|marketing|group|holdings|industries|services|solutions
  |retail|syarikat|perniagaan|bistro|kitchen|boutique|garage|autohaus|apotheke|bäckerei|metzgerei|gasthaus|boulangerie|pharmacie|librairie`;

const legalForm = new RegExp(`(?<![\\p{L}\\d])(?:${spaced(legalForms)})(?![\\p{L}\\d])\\.?`, 'giu');
/** What stands behind a legal form that can end a name only: a branch, a mall. */
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

/** Whether the text goes on with a name begun in the line above: it opens with a legal form or inside brackets. */
export function continuesName(text: string): boolean {
  const [first] = text.matchAll(legalForm);
  const opens = first?.index === 0 || /^(?:co\.|enterprise|trading|bakery)(?!\p{L})/iu.test(text);
  return opens || /^[^(]*\)/.test(text);
}

/** Whether a bracket opened in one line closes in the next. */
export function closesBracket(text: string, next: string): boolean {
  return /\([^)]*$/.test(text) && /^[^(]*\)/.test(next);
}

/** Only a company's own name has its register number behind it. */
export function hasRegisterNumber(text: string): boolean {
  return /[([<]\s*(?:[^)\]>]*\d){4}[^)\]>]*[)\]>]/.test(text);
}

/** The name without register numbers and what follows them. */
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
