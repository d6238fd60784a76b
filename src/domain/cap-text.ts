interface TextPage {
  text: string;
  words: readonly unknown[];
}

/**
 * Cuts a document's text after `limit` characters. A cut page drops its words: they would no longer
 * match the text.
 */
export function capText<P extends TextPage>(
  pages: readonly P[],
  limit: number,
): { pages: P[]; truncated: boolean } {
  let left = limit;
  let truncated = false;
  const capped = pages.map((page) => {
    const text = page.text.slice(0, left);
    left -= text.length;
    if (text.length === page.text.length) return page;
    truncated = true;
    return { ...page, text, words: [] };
  });
  return { pages: capped, truncated };
}
