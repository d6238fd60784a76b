import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';

/** The first XML file embedded anywhere in a PDF, or an empty string. */
export async function embeddedXml(bytes: Uint8Array): Promise<string> {
  const pdf = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (
      !(object instanceof PDFRawStream) ||
      object.dict.get(PDFName.of('Type')) !== PDFName.of('EmbeddedFile')
    )
      continue;
    const text = Buffer.from(decodePDFRawStream(object).decode()).toString('utf8');
    if (/^\s*(?:\ufeff)?\s*</.test(text)) return text;
  }
  return '';
}
