/** A part of a message as it would become a document. */
export interface Part {
  name: string;
  mediaType: string;
  bytes: Buffer;
  /** The first characters of what it says. */
  begins: string;
  /** Whether the text shows it, as letters show their letterhead. */
  shown: boolean;
}
