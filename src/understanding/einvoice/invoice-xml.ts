/** Checks the root element, with any namespace prefix. */
export function isInvoiceXml(text: string): boolean {
  const prologue = text.slice(0, 20_000).replace(/<!--[\s\S]*?-->/g, '');
  const [, root] = prologue.match(/<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]/) ?? [];
  return root !== undefined && invoiceRoots.has(root);
}

const invoiceRoots = new Set([
  'CrossIndustryInvoice',
  'CrossIndustryDocument',
  'Invoice',
  'CreditNote',
]);
