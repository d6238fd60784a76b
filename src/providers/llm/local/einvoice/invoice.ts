/** What the syntaxes of e-invoices have in common, under the names of the invoice schema. */
export interface EInvoice {
  invoice_number: string | undefined;
  invoice_date: string | undefined;
  due_date: string | undefined;
  supplier_name: string | undefined;
  supplier_address: string | undefined;
  supplier_vat_id: string | undefined;
  buyer_name: string | undefined;
  buyer_address: string | undefined;
  currency: string | undefined;
  line_items: EInvoiceLine[];
  subtotal: number | undefined;
  vat_amount: number | undefined;
  total: number | undefined;
  iban: string | undefined;
  purchase_order: string | undefined;
}

export interface EInvoiceLine {
  description: string | undefined;
  quantity: number | undefined;
  unit_price: number | undefined;
  vat_rate: number | undefined;
  amount: number | undefined;
}
