import { PermanentError } from '../../../errors.ts';
import { checkLane } from '../check-lane.ts';
import type { SourceFile } from '../port.ts';

export function checkPageCount(pages: number, { largeFrom }: SourceFile, maxPages: number): void {
  if (pages === 0) throw new PermanentError('NO_PAGES', 'The document has no pages');
  if (pages > maxPages) {
    throw new PermanentError(
      'TOO_MANY_PAGES',
      `The document has ${pages} pages, ${maxPages} are allowed`,
    );
  }
  checkLane(pages, largeFrom);
}
