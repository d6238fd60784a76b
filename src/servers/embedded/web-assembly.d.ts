/** The part of the global that Valkey needs; TypeScript declares it only in its DOM library. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: object;
  }
  class Memory {
    constructor(size: { initial: number; maximum?: number });
    grow(pages: number): number;
    readonly buffer: ArrayBuffer;
  }
  class Tag {
    constructor(type: { parameters: string[] });
  }
}
