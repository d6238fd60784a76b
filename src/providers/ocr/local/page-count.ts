import { PermanentError } from '../../../errors.ts';

export function checkPageCount(pages: number, maxPages: number): void {
  if (pages === 0) throw new PermanentError('NO_PAGES', 'The document has no pages');
  if (pages > maxPages) {
    throw new PermanentError('TOO_MANY_PAGES', `The document has ${pages} pages, ${maxPages} are allowed`);
  }
}
