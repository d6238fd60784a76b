/** Reads a part of the file; it may be shorter at the end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;
