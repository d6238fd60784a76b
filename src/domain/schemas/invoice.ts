import type { DocumentSchema } from '../schema/index.ts';

export const invoice = {
  name: 'invoice',
  version: 1,
  title: 'Invoice or credit note',
  fields: {
    invoice_number: { kind: 'text', description: 'Number of the invoice as printed' },
    invoice_date: { kind: 'date', description: 'Date of issue' },
    due_date: {
      kind: 'date',
      description: 'Date to pay by; where only days are printed, counted from invoice_date',
    },
    supplier_name: { kind: 'text', description: 'Legal name of the seller' },
    supplier_address: { kind: 'text', description: 'Postal address of the seller' },
    supplier_vat_id: { kind: 'vat_id', description: 'VAT or tax id of the seller' },
    buyer_name: { kind: 'text', description: 'Name of the customer' },
    buyer_address: { kind: 'text', description: 'Postal address of the customer' },
    currency: { kind: 'currency', description: 'ISO 4217 code' },
    line_items: {
      kind: 'lines',
      description: 'The goods and services billed, in printed order',
      columns: {
        description: 'text',
        quantity: 'amount',
        unit_price: 'amount',
        vat_rate: 'amount',
        amount: 'amount',
      },
    },
    subtotal: { kind: 'amount', description: 'Sum before tax' },
    vat_amount: { kind: 'amount', description: 'Sum of tax' },
    total: { kind: 'amount', description: 'Sum with tax' },
    iban: { kind: 'iban', description: 'Account to pay to' },
    purchase_order: { kind: 'text', description: 'Number of the order of the customer' },
  },
  critical: ['invoice_number', 'invoice_date', 'supplier_name', 'total'],
  rules: [
    { kind: 'sum', of: ['line_items.amount'], equals: 'subtotal', tolerance: 0.02 },
    { kind: 'sum', of: ['subtotal', 'vat_amount'], equals: 'total', tolerance: 0.02 },
    { kind: 'order', earlier: 'invoice_date', later: 'due_date' },
  ],
  prompt: 'Read the fields of this invoice or credit note.',
  recognise: [{ all: ['@e-invoice'] }, { all: ['@money', '@invoice'], none: ['@till'] }],
} as const satisfies DocumentSchema;
