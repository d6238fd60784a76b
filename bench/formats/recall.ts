/** Share of the words of `truth` that `text` has too, each as often. Words have two characters or more. */
export function wordRecall(truth: string, text: string): number {
  const wanted = countWords(truth);
  const found = countWords(text);
  let all = 0;
  let both = 0;
  for (const [word, times] of wanted) {
    all += times;
    both += Math.min(times, found.get(word) ?? 0);
  }
  return all === 0 ? 1 : both / all;
}

export function countWords(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]{2,}/gu))
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}
