import type { Box, PageList } from '../api/types.ts';

interface Props {
  documentId: string;
  page: PageList['pages'][number];
  /** In fractions of the page. */
  place: Box | undefined;
}

const imageWidth = 1024;
/** Around the place of a value, in fractions of the page. */
const margin = 0.006;

export function imageOf(documentId: string, page: number): string {
  return `/v1/documents/${documentId}/pages/${page}/image?width=${imageWidth}`;
}

/** A page as it was read, with the place of the focused value. */
export function PageImage({ documentId, page: { number, width, height }, place }: Props) {
  const [left, top, right, bottom] = place ?? [0, 0, 0, 0];
  return (
    <div className="sheet">
      <img
        src={imageOf(documentId, number)}
        alt={`Page ${number}`}
        width={width ?? undefined}
        height={height ?? undefined}
      />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {place && (
          <rect
            className="place"
            x={left - margin}
            y={top - margin}
            width={right - left + 2 * margin}
            height={bottom - top + 2 * margin}
          />
        )}
      </svg>
    </div>
  );
}
