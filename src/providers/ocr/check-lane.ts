import { LargeDocumentError } from '../../errors.ts';

export function checkLane(pages: number, largeFrom: number | undefined): void {
  if (largeFrom !== undefined && pages >= largeFrom)
    throw new LargeDocumentError(
      `The document has ${pages} pages; from ${largeFrom} on it is read in the large lane`,
    );
}
