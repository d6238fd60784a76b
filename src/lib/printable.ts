// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f\ufffe\uffff]/g;

/** Halves of characters. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Removes control characters and halves of characters, which break databases and terminals; line ends become `\n`. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, '').replace(LONE_SURROGATES, '');
}
