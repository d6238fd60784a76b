const stopWords: Readonly<Record<string, readonly string[]>> = {
  en: 'the and of to for with is are this your you please thank by on from no not it at'.split(' '),
  de: 'der die das und für von mit ist den dem zu auf wir sie ihre bitte zum zur nicht ein eine bei'.split(
    ' ',
  ),
  fr: 'le la les des du et pour avec est une un sur vous nous par au aux dans ce votre merci'.split(
    ' ',
  ),
  es: 'el la los las de del para con una un por que su gracias en es se'.split(' '),
  it: 'il lo la gli di del della per con una un che in si grazie da dei'.split(' '),
  nl: 'de het een en van voor met op is te wij uw niet bij aan dat zijn'.split(' '),
  pt: 'os as de do da dos das para com um uma por que em não seu obrigado'.split(' '),
  pl: 'i w z na do nie się za od nr dla oraz jest przez po dziękuję zapłaty'.split(' '),
  sv: 'och att för med på av är till som inom från enligt vid ska har inte den vi'.split(' '),
  da: 'og at for med på af er til som inden fra ved efter ikke den vi venligst beløb'.split(' '),
  nb: 'og å for med på av er til som innen fra ved etter ikke den vi vennligst beløp'.split(' '),
  fi: 'ja on ei tai sekä että mukaan viimeistään kiitos päivää yhteensä tämä laskun maksu'.split(
    ' ',
  ),
  cs: 'a v na se je za od do ze dne ke pro podle prosím děkujeme nebo při celkem'.split(' '),
  ms: 'dan yang di ke untuk dengan ini itu sila terima kasih anda tidak dari pada'.split(' '),
};

const languagesByWord = new Map<string, Set<string>>();
for (const [language, words] of Object.entries(stopWords)) {
  for (const word of words)
    languagesByWord.set(word, (languagesByWord.get(word) ?? new Set()).add(language));
}

/** Enough characters to decide, however long the text is. */
const searched = 200_000;

/**
 * The language a text is most likely in (ISO 639-1), by its stop words; undefined when they do not
 * decide.
 */
export function detectLanguage(text: string): string | undefined {
  const hits = new Map(Object.keys(stopWords).map((language) => [language, 0]));
  for (const [word] of text
    .slice(0, searched)
    .toLowerCase()
    .matchAll(/\p{L}+/gu)) {
    for (const language of languagesByWord.get(word) ?? [])
      hits.set(language, (hits.get(language) ?? 0) + 1);
  }
  const ranked = [...hits]
    .map(([language, times]) => ({ language, hits: times }))
    .sort((a, b) => b.hits - a.hits);
  const [first, second] = ranked;
  return first && second && first.hits >= 3 && first.hits > second.hits
    ? first.language
    : undefined;
}
