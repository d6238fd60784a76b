import { PDFiumModule } from '@hyzyla/pdfium';

type Call = (...values: number[]) => number;

/** PDFium functions that the package exports but does not declare. Handles are numbers. */
const undeclared = [
  '_FPDFAttachment_GetFile',
  '_FPDFAttachment_GetName',
  '_FPDFDoc_GetAttachment',
  '_FPDFDoc_GetAttachmentCount',
  '_FPDFPageObj_GetBounds',
  '_FPDFPage_Flatten',
  '_FPDFPage_GetAnnotCount',
  '_FPDFTextObj_GetTextRenderMode',
  '_FPDFText_GetCharBox',
  '_FPDFText_GetFillColor',
  '_FPDFText_GetTextObject',
  '_FPDFText_GetUnicode',
  '_FPDFText_HasUnicodeMapError',
  '_FPDF_GetPageSizeByIndexF',
  '_FPDF_GetSecurityHandlerRevision',
  '_FPDF_InitLibrary',
  '_FPDF_PageToDevice',
] as const;

type Module = Awaited<ReturnType<typeof PDFiumModule>>;
export type Pdfium = Module & Record<(typeof undeclared)[number], Call>;

let started: Promise<Pdfium> | undefined;

/** Starts PDFium (WebAssembly) once per process. */
export function pdfium(): Promise<Pdfium> {
  started ??= PDFiumModule({}).then((module) => {
    if (!isComplete(module)) throw new Error('This build of PDFium lacks required functions');
    module._FPDF_InitLibrary();
    return module;
  });
  return started;
}

function isComplete(module: Module): module is Pdfium {
  return undeclared.every((name) => name in module);
}

/**
 * Allocates PDFium memory while `use` runs. The heap may move when it grows, so create views anew
 * after each PDFium call.
 */
export function withMemory<T>(
  { wasmExports: { malloc, free } }: Pdfium,
  bytes: number,
  use: (pointer: number) => T,
): T {
  const pointer = malloc(bytes);
  if (pointer === 0) throw new Error('PDFium is out of memory');
  try {
    return use(pointer);
  } finally {
    free(pointer);
  }
}
