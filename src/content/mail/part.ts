export interface Part {
  name: string;
  mediaType: string;
  bytes: Buffer;
  begins: string;
  /** Whether the HTML body references it by Content-ID (an inline image). */
  shown: boolean;
}
