/** An invented invoice and its true values. */
export interface MadeInvoice {
  language: string;
  /** Typewritten text, one string per page. */
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
