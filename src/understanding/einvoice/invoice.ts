/** The data common to all e-invoice syntaxes, named as in the invoice schema. */
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

interface Surcharge {
  description: string | undefined;
  vatRate: number | undefined;
  amount: number | undefined;
  isCharge: boolean;
}

/** If an e-invoice has no lines, surcharges and discounts alone are not a table. */
export function withSurcharges(lines: EInvoiceLine[], surcharges: EInvoiceLine[]): EInvoiceLine[] {
  return lines.length > 0 ? [...lines, ...surcharges] : [];
}

/**
 * Discounts and charges on the whole invoice become rows, because the rows add up to the subtotal
 * only with them.
 */
export function surcharge({ description, vatRate, amount, isCharge }: Surcharge): EInvoiceLine {
  const signed = amount === undefined || isCharge ? amount : -Math.abs(amount);
  return {
    description,
    quantity: undefined,
    unit_price: undefined,
    vat_rate: vatRate,
    amount: signed,
  };
}
