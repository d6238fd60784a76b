export interface Part {
  name: string;
  mediaType: string;
  bytes: Buffer;
  begins: string;
  /** Whether the HTML body references it by Content-ID (an inline image). */
  shown: boolean;
}

/** Number of leading characters needed to recognise a part. */
export const prefixLength = 64;
