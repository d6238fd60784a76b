import type { EmbeddedFile } from '../../domain/transcription.ts';
import { readCii } from './cii.ts';
import type { EInvoice } from './invoice.ts';
import { isInvoiceXml } from './invoice-xml.ts';
import { readUbl } from './ubl.ts';
import { nodesAt, parseXml, type XmlNode } from './xml.ts';

const syntaxes: Readonly<Record<string, (root: XmlNode) => EInvoice>> = {
  CrossIndustryInvoice: readCii,
  CrossIndustryDocument: readCii,
  Invoice: readUbl,
  CreditNote: readUbl,
};

/**
 * Reads the invoice in an embedded file. Undefined if the file is not an invoice. Throws on
 * malformed XML.
 */
export function readEInvoice({ text }: EmbeddedFile): EInvoice | undefined {
  if (!isInvoiceXml(text)) return undefined;
  const document = parseXml(text.replace(/^\ufeff/, ''));
  for (const [name, read] of Object.entries(syntaxes)) {
    const [root] = nodesAt(document, name);
    if (root) return read(root);
  }
  return undefined;
}
