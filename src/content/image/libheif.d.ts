/** The package has no types. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (result: { data: Uint8ClampedArray } | null) => void,
    ): void;
    free(): void;
  }
  const heif: { HeifDecoder: new () => { decode(bytes: Buffer): HeifImage[] } };
  export = heif;
}
