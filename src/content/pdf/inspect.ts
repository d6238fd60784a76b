import type { InspectInput, Inspection } from '../format.ts';
import { xmlAttachments } from './attachments.ts';
import { withPdf } from './document.ts';

export function inspectPdf(file: InspectInput): Promise<Inspection> {
  return withPdf(file, (document) => ({
    pages: document.pages,
    encrypted: document.pdf._FPDF_GetSecurityHandlerRevision(document.handle) !== -1,
    embedded: xmlAttachments(document),
  }));
}
