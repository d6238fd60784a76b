import { readFile } from 'node:fs/promises';
import { PDFiumModule } from '@hyzyla/pdfium';
import { PermanentError } from '../../errors.ts';

export interface PdfDocument {
  pdf: Pdfium;
  handle: number;
  pages: number;
}

const PASSWORD = 4;
const SECURITY = 5;

export interface PdfFile {
  path: string;
  password?: string | undefined;
}

/** Opens a PDF while `use` runs. Nothing in it is executed or fetched. */
export async function withPdf<T>(
  { path, password }: PdfFile,
  use: (document: PdfDocument) => T | Promise<T>,
): Promise<T> {
  const [pdf, bytes] = await Promise.all([pdfium(), readFile(path)]);
  if (bytes.length === 0) throw new PermanentError('EMPTY_FILE', 'The PDF file is empty');
  const pointer = pdf.wasmExports.malloc(bytes.length);
  if (pointer === 0) throw new Error('PDFium is out of memory');
  let handle = 0;
  try {
    pdf.HEAPU8.set(bytes, pointer);
    handle = load(pdf, pointer, bytes.length, password);
    if (handle === 0) throw problemOf(pdf._FPDF_GetLastError(), password !== undefined);
    return await use({ pdf, handle, pages: pdf._FPDF_GetPageCount(handle) });
  } catch (error) {
    throw isTooDeep(error) ? tooDeep(error) : error;
  } finally {
    if (handle !== 0) pdf._FPDF_CloseDocument(handle);
    pdf.wasmExports.free(pointer);
  }
}

/** V8 stops a recursion that has no end; PDFium limits the depth of most structures itself. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function tooDeep(cause: unknown): PermanentError {
  return new PermanentError('INVALID_FILE', 'The PDF is nested too deeply to be read', { cause });
}

function load(pdf: Pdfium, pointer: number, length: number, password: string | undefined): number {
  if (password === undefined) return pdf._FPDF_LoadMemDocument(pointer, length, 0);
  const text = Buffer.from(`${password}\0`);
  return withMemory(pdf, text.length, (at) => {
    pdf.HEAPU8.set(text, at);
    return pdf._FPDF_LoadMemDocument(pointer, length, at);
  });
}

function problemOf(error: number, tried: boolean): PermanentError {
  if (error === PASSWORD) {
    const reason = tried
      ? 'The password does not open the PDF'
      : 'The PDF cannot be opened without a password';
    return new PermanentError('PASSWORD_PROTECTED', reason);
  }
  if (error === SECURITY)
    return new PermanentError(
      'PASSWORD_PROTECTED',
      'The PDF uses an unsupported encryption method',
    );
  return new PermanentError('INVALID_FILE', 'The PDF is damaged and cannot be opened');
}

export interface PdfPage {
  pdf: Pdfium;
  handle: number;
  /** In points, after page rotation. */
  width: number;
  height: number;
}

/** Opens a page (1-based) with annotations and form fields flattened into its content. */
export function withPage<T>(
  { pdf, handle: document }: PdfDocument,
  number: number,
  use: (page: PdfPage) => T,
): T {
  let handle = pdf._FPDF_LoadPage(document, number - 1);
  if (handle !== 0 && pdf._FPDFPage_GetAnnotCount(handle) > 0) {
    pdf._FPDFPage_Flatten(handle, 0);
    pdf._FPDF_ClosePage(handle);
    handle = pdf._FPDF_LoadPage(document, number - 1);
  }
  if (handle === 0)
    throw new PermanentError('INVALID_FILE', `Page ${number} of the PDF is damaged`);
  try {
    return use({
      pdf,
      handle,
      width: pdf._FPDF_GetPageWidth(handle),
      height: pdf._FPDF_GetPageHeight(handle),
    });
  } finally {
    pdf._FPDF_ClosePage(handle);
  }
}

type Call = (...values: number[]) => number;

/** PDFium functions that the package exports but does not declare. Handles are numbers. */
const undeclared = [
  '_FPDFAnnot_GetFileAttachment',
  '_FPDFAnnot_GetSubtype',
  '_FPDFAttachment_GetFile',
  '_FPDFAttachment_GetName',
  '_FPDFDoc_GetAttachment',
  '_FPDFDoc_GetAttachmentCount',
  '_FPDFImageObj_GetImagePixelSize',
  '_FPDFPageObj_GetBounds',
  '_FPDFPage_Flatten',
  '_FPDFPage_CloseAnnot',
  '_FPDFPage_GetAnnot',
  '_FPDFPage_GetAnnotCount',
  '_FPDFTextObj_GetTextRenderMode',
  '_FPDFText_GetCharBox',
  '_FPDFText_GetFillColor',
  '_FPDFText_GetTextObject',
  '_FPDFText_GetUnicode',
  '_FPDFText_HasUnicodeMapError',
  '_FPDF_GetFormType',
  '_FPDF_GetMetaText',
  '_FPDF_GetPageSizeByIndexF',
  '_FPDF_GetSecurityHandlerRevision',
  '_FPDF_GetSignatureCount',
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
