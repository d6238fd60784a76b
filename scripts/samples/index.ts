import { einvoice } from './einvoice.ts';
import { brokenPdf, invoicePdf } from './invoice-pdf.ts';
import { letter } from './letter.ts';
import { pagesTiff } from './pages-tiff.ts';
import { poorScan } from './poor-scan.ts';
import { receipt } from './receipt.ts';
import { scan } from './scan.ts';

/** How each sample is generated. The bytes are the same in every run. */
export const samples: Record<string, () => Promise<Uint8Array>> = {
  'invoice.pdf': invoicePdf,
  'einvoice.pdf': einvoice,
  'scan.pdf': scan,
  'receipt.jpg': receipt,
  'poor-scan.png': poorScan,
  'pages.tiff': pagesTiff,
  'letter.txt': async () => new TextEncoder().encode(letter),
  'broken.pdf': brokenPdf,
};
