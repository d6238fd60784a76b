import { AFRelationship, PDFName, StandardFonts } from '@cantoo/pdf-lib';
import { crossIndustryInvoice } from './cii.ts';
import { sonnenhof } from './companies.ts';
import { drawInvoice } from './invoice-page.ts';
import { addSheet, newDocument } from './sheet.ts';
import { german } from './words.ts';

/** A hybrid invoice (ZUGFeRD, Factur-X): a readable page with the same figures embedded as XML. */
export async function einvoice(): Promise<Uint8Array> {
  const document = await newDocument(`Rechnung ${sonnenhof.number}`, sonnenhof.seller.name);
  const sheet = await addSheet(document, {
    regular: StandardFonts.Helvetica,
    bold: StandardFonts.HelveticaBold,
  });
  drawInvoice(sheet, sonnenhof, german, { accent: [0.72, 0.42, 0.05], band: false, shaded: true });
  const made = new Date(`${sonnenhof.issued}T08:00:00Z`);
  await document.attach(new TextEncoder().encode(crossIndustryInvoice(sonnenhof)), 'factur-x.xml', {
    mimeType: 'text/xml',
    description: 'Factur-X/ZUGFeRD-Rechnung',
    creationDate: made,
    modificationDate: made,
    afRelationship: AFRelationship.Alternative,
  });
  const metadata = document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' });
  document.catalog.set(PDFName.of('Metadata'), document.context.register(metadata));
  return document.save();
}

const xmp = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
