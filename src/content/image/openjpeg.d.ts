/** The package has no types. */
declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  interface J2KDecoder {
    getEncodedBuffer(bytes: number): Uint8Array;
    decode(): void;
    getDecodedBuffer(): Uint8Array;
    getFrameInfo(): {
      width: number;
      height: number;
      bitsPerSample: number;
      componentCount: number;
    };
    delete(): void;
  }
  const open: (options: {
    print(line: string): void;
    printErr(line: string): void;
  }) => Promise<{ J2KDecoder: new () => J2KDecoder }>;
  export = open;
}
