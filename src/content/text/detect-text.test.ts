import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { encodingsOf, type Language, textsIn } from '../../../test/kit/texts.ts';
import { keys } from '../../lib/keys.ts';
import { detectText } from './detect-text.ts';
import { isText } from './sniff-text.ts';

const cases = keys(encodingsOf).flatMap((language) =>
  encodingsOf[language].map((encoding) => [language, encoding] as const),
);

/** The share of texts that come out right as a whole. */
async function shareRight(language: Language, encoding: string, length: number): Promise<number> {
  const texts = textsIn(language, 10, length).map((text) => iconv.encode(text, encoding));
  const found = await Promise.all(
    texts.map(async (bytes) => (await detectText(bytes)) === iconv.decode(bytes, encoding)),
  );
  return found.filter(Boolean).length / texts.length;
}

test.each(cases)('takes %s in %s for text, and reads it', async (language, encoding) => {
  for (const text of textsIn(language, 3, 100))
    expect(isText(iconv.encode(text, encoding))).toBe(true);
  expect(await shareRight(language, encoding, 1000)).toBeGreaterThanOrEqual(0.9);
});

test.each([
  [60, 0.93],
  [200, 0.96],
])('of texts of %i characters, at least this share is read right: %f', async (length, share) => {
  const shares = await Promise.all(cases.map((each) => shareRight(...each, length)));
  const mean = shares.reduce((sum, each) => sum + each, 0) / shares.length;
  expect(mean).toBeGreaterThanOrEqual(share);
});

test('reads ISO-2022-JP by its escape sequences', async () => {
  const bytes = Buffer.from('\u001b$B$3$s$K$A$O\u001b(B, world');
  expect(await detectText(bytes)).toBe('こんにちは, world');
});

test('reads XML in the encoding it states', async () => {
  const text = '<?xml version="1.0" encoding="ISO-8859-7"?><a>α</a>';
  expect(await detectText(iconv.encode(text, 'ISO-8859-7'))).toBe(text);
});

test('takes bytes that are no text for none', () => {
  const bytes = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * i * 31) % 256));
  expect(isText(bytes)).toBe(false);
  expect(isText(Buffer.from([0, 0, 0, 1, 0, 0, 0, 2, 0, 32, 0, 0]))).toBe(false);
});
