/** An invented invoice and what is true of it. */
export interface MadeInvoice {
  language: string;
  /** Set as typewritten, one text for each page. */
  pages: readonly string[];
  truth: {
    invoice_number: string;
    invoice_date: string;
    due_date: string | null;
    supplier_name: string;
    supplier_vat_id: string | null;
    currency: string;
    subtotal: number;
    vat_amount: number;
    total: number;
  };
}
