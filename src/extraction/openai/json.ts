const MOST_LEVELS = 32;

/**
 * Parses the JSON object in a model's answer, even if it is surrounded by prose. Throws a
 * SyntaxError that describes the problem.
 */
export function parseAnswer(text: string): unknown {
  const json = objectIn(text);
  const value: unknown = JSON.parse(json);
  refuseTraps(json);
  return value;
}

function objectIn(text: string): string {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) throw new SyntaxError('The answer holds no JSON object.');
  return text.slice(start, end + 1);
}

/**
 * Rejects deep nesting and duplicate keys, which are legal JSON but never part of a genuine answer.
 * The text is known to be well-formed, which keeps this pattern linear.
 */
function refuseTraps(json: string): void {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of json.matchAll(/"(?:\\.|[^"\\])*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') refuseTwice(last, open.at(-1));
    else last = token;
    if (open.length > MOST_LEVELS) throw new SyntaxError('The answer is nested too deeply.');
  }
}

function refuseTwice(key: string, seen: Set<string> | undefined): void {
  if (seen?.has(key)) throw new SyntaxError(`The answer has the key ${key.slice(0, 80)} twice.`);
  seen?.add(key);
}
