import type { DocumentSchema } from '../schema/index.ts';

export const receipt = {
  name: 'receipt',
  version: 1,
  title: 'Till receipt',
  fields: {
    supplier_name: { kind: 'text', description: 'Legal name of the shop or its owner' },
    supplier_address: { kind: 'text', description: 'Postal address of the shop' },
    supplier_vat_id: { kind: 'vat_id', description: 'VAT or tax id of the shop' },
    invoice_number: { kind: 'text', description: 'Number of the receipt as printed' },
    invoice_date: { kind: 'date', description: 'Date of the purchase' },
    currency: { kind: 'currency', description: 'ISO 4217 code' },
    subtotal: { kind: 'amount', description: 'Sum before tax' },
    vat_amount: { kind: 'amount', description: 'Sum of tax' },
    total: { kind: 'amount', description: 'Sum to pay, after rounding' },
    payment_method: { kind: 'text', description: 'How it was paid, as printed' },
  },
  critical: ['supplier_name', 'invoice_date', 'total'],
  /** Receipts print service charges, rounding and discounts between subtotal and total. */
  rules: [],
  prompt: 'Read the fields of this receipt.',
  recognise: [{ all: ['@money', '@till'], none: ['@e-invoice'] }],
} as const satisfies DocumentSchema;
