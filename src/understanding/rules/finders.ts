import type { Field, FieldKind } from '../../domain/schema/field.ts';
import { findSupplierAddress } from './address.ts';
import { findBuyerAddress, findBuyerName } from './buyer.ts';
import { findCurrency } from './currency.ts';
import { findDueDate, findInvoiceDate } from './dates.ts';
import type { Finder } from './found.ts';
import {
  findDatesOfDocument,
  findParties,
  findReferenceNumbers,
  findSummary,
  findTitle,
} from './generic.ts';
import { findIban, findInvoiceNumber, findPurchaseOrder, findVatId } from './identifiers.ts';
import { findLineItems } from './line-items.ts';
import { findPaymentMethod } from './payment-method.ts';
import { findSupplierName } from './supplier.ts';
import { findSupplierVatId } from './supplier-vat-id.ts';
import { findSubtotal, findTotal, findVatAmount } from './totals.ts';

/**
 * The rule for a field without labels, by its name or else its kind. A field without a rule stays
 * empty.
 */
export function chooseFinder(name: string, { kind }: Field): Finder | undefined {
  return byName[name] ?? byKind[kind];
}

const byKind: Readonly<Partial<Record<FieldKind, Finder>>> = {
  currency: findCurrency,
  iban: findIban,
  vat_id: findVatId,
  summary: findSummary,
};

const byName: Readonly<Record<string, Finder>> = {
  invoice_number: findInvoiceNumber,
  invoice_date: findInvoiceDate,
  due_date: findDueDate,
  supplier_name: findSupplierName,
  supplier_address: findSupplierAddress,
  supplier_vat_id: findSupplierVatId,
  buyer_name: findBuyerName,
  buyer_address: findBuyerAddress,
  currency: findCurrency,
  line_items: findLineItems,
  subtotal: findSubtotal,
  vat_amount: findVatAmount,
  total: findTotal,
  iban: findIban,
  purchase_order: findPurchaseOrder,
  payment_method: findPaymentMethod,
  title: findTitle,
  dates: findDatesOfDocument,
  parties: findParties,
  reference_numbers: findReferenceNumbers,
  summary: findSummary,
};
