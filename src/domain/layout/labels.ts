import { type Phrases, phrasesOf } from './phrase.ts';

/** What documents call things, per language. The only place for words of a language besides stop words and months. */
const vocabulary = {
  total: {
    en: 'total, totals, ttl, amount due, balance due, total amount, invoice total, balance',
    de: `gesamt, gesamtbetrag, gesamtsumme, summe, endsumme, endbetrag, rechnungsbetrag, bruttobetrag,
      rechnungssumme, bruttosumme, gesamtbeträge`,
    fr: 'total, montant total',
    es: 'total, importe total',
    it: 'totale',
    nl: 'totaal, totaalbedrag',
    ms: 'jumlah',
  },
  sales: { en: 'total sales, total sale, total amount, total amt' },
  payable: {
    en: `amount due, balance due, total due, payable, grand total, final total, total rounded, total to pay, to
      pay, rounded total, nett total, total after, ttl atf`,
    de: 'zahlbetrag, zu zahlen, zu zahlender betrag, endbetrag, fälliger betrag',
    fr: 'net à payer, à payer, montant dû, reste à payer',
    es: 'total a pagar, a pagar',
    it: 'totale da pagare, da pagare',
    nl: 'te betalen',
  },
  subtotal: {
    en: `sub total, subtotal, sub ttl, net amount, taxable amount, total before, net value, amt excl, amount excl,
      gross amount`,
    de: 'zwischensumme, netto, nettobetrag, nettosumme, gesamt netto, summe netto, warenwert',
    fr: 'sous total, total ht, montant ht, total hors taxe, total hors taxes, net ht, base ht',
    es: 'subtotal, base imponible',
    it: 'imponibile, subtotale',
    nl: 'subtotaal',
  },
  inclusive: {
    en: 'incl, inc, inclusive, including, included, with, inclu, inclusived',
    de: 'brutto, inkl, inklusive, incl',
    fr: 'ttc, toutes taxes comprises',
    es: 'iva incluido',
    it: 'iva inclusa',
    nl: 'inclusief',
  },
  exclusive: {
    en: 'excl, exc, exclusive, excluding, ex, before, excludes, without',
    de: 'netto, exkl, ohne',
    fr: 'ht, hors taxe, hors taxes',
    nl: 'exclusief',
  },
  tax: {
    en: 'gst, vat, tax, sst, hst, pst, sales tax',
    de: 'mwst, ust, umsatzsteuer, mehrwertsteuer, steuer, steuerbetrag',
    fr: 'tva, montant tva, taxe, taxes',
    es: 'iva, igic',
    it: 'iva, imposta',
    nl: 'btw',
    ms: 'cukai',
  },
  rounding: { en: 'rounding, round adj, rnd adj, round, rounding adj, rnd', de: 'rundung', fr: 'arrondi' },
  discount: {
    en: 'discount, disc, saving, savings, saved, less, voucher, rebate',
    de: 'rabatt, skonto, nachlass, ersparnis',
    fr: 'remise, rabais, escompte',
  },
  service: {
    en: 'service charge, serv chg, srv chg, svc chg, service chg, svr chg, serv charge, ser chg, svc',
    de: 'servicegebühr',
    fr: 'service',
  },
  paid: {
    en: `cash, tendered, tender, paid, amount paid, payment, visa, mastercard, master, card, credit, debit, amex,
      cash received, received, eft, ebt, cheque`,
    de: 'bar, gegeben, bezahlt, kartenzahlung, girocard, ec karte',
    fr: 'espèces, carte, payé, réglé, cb',
    ms: 'tunai',
  },
  change: {
    en: 'change, change due, cash change, amount change',
    de: 'wechselgeld, rückgeld, zurück',
    fr: 'rendu, monnaie, rendu monnaie',
    ms: 'baki',
  },
  quantity: {
    en: `qty, quantity, items, item, no of items, item count, item sold, pcs, pieces, points, point, pax, units,
      hours`,
    de: 'anzahl, menge, artikel, punkte, stück',
    fr: 'quantité, qté, articles, nombre',
  },
  taxSummary: {
    en: `gst summary, tax summary, vat summary, gst analysis, tax analysis, vat analysis, gst breakdown, tax code,
      tax breakdown, gst summery, summary, sst summary, tax rate, gst detail, gst details, tax detail`,
    de: 'steuersatz, mwst satz, steueraufstellung',
    fr: 'détail tva, taux tva, ventilation tva, détail de la tva',
  },
  invoiceNumber: {
    en: `invoice number, invoice no, inv no, invoice nr, invoice #, invoice id, bill no, bill number, receipt no,
      receipt number, doc no, document no, document number, slip no, tax invoice no, bill, receipt, slip,
      invoice, credit note no, credit note, trans, transaction no, chk, check no`,
    de: `rechnungsnummer, rechnungs nr, rechnung nr, rechnungsnr, beleg nr, belegnummer, belegnr, bon nr, rechnung,
      gutschrift nr`,
    fr: `numéro de facture, facture n, n facture, n de facture, facture no, facture numéro, facture, ticket n, n
      ticket`,
    es: 'número de factura, factura n, factura no, nº factura, factura',
    it: 'fattura n, numero fattura, fattura nr, fattura',
    nl: 'factuurnummer, factuur nr, factuurnr',
  },
  date: {
    en: `invoice date, date of issue, issue date, date issued, bill date, receipt date, transaction date, tax date,
      date, issued, issued at, issued on`,
    de: `rechnungsdatum, belegdatum, ausstellungsdatum, datum, rechnung vom, den, rechnungs und lieferdatum, liefer
      und rechnungsdatum`,
    fr: 'date de facture, date facture, date de facturation, date d émission, émise le, date, le',
    es: 'fecha de factura, fecha factura, fecha de emisión, fecha',
    it: 'data fattura, data',
    nl: 'factuurdatum, datum',
    ms: 'tarikh',
  },
  dueDate: {
    en: 'due date, payment due, due by, pay by, due on, payable by, date due, due, remit until, payment until',
    de: 'fällig am, fälligkeit, fälligkeitsdatum, zahlbar bis, zahlungsziel, fällig, bis zum, zahlbar bis zum',
    fr: `date d échéance, échéance, à payer avant, à régler avant, payable avant le, date échéance, date limite`,
    es: 'vencimiento, fecha de vencimiento',
    it: 'scadenza, data scadenza',
    nl: 'vervaldatum',
  },
  otherDate: {
    en: `delivery date, order date, ship date, date of delivery, service date, expiry, expires, valid, until,
      printed, print date, date of birth, period, promotion, promo, since, effective, delivery, shipped,
      ordered, reprint, due, start, end`,
    de: `lieferdatum, bestelldatum, leistungsdatum, gültig, bestellung vom, leistungszeitraum, lieferung,
      auftragsdatum, skonto, bis`,
    fr: `date de livraison, date de commande, livraison, commande, valable, période, début, fin, associée, au,
      prestation`,
  },
  purchaseOrder: {
    en: `purchase order, po number, po no, p o number, p o no, your order, order reference, order number, order no,
      your reference, customer reference, po`,
    de: 'bestellnummer, bestell nr, ihre bestellung, auftragsnummer, bestellnr, ihr auftrag, ihr zeichen',
    fr: 'bon de commande, n de commande, numéro de commande, votre commande, commande n, réf commande',
  },
  buyer: {
    en: `bill to, billed to, invoice to, invoiced to, sold to, customer, buyer, client, attention, ship to, deliver
      to, customer name`,
    de: 'rechnung an, rechnungsempfänger, kunde, empfänger, rechnungsadresse, käufer',
    fr: 'facturé à, facturer à, client, destinataire, adresse de facturation, acheteur',
    es: 'facturar a, cliente',
    it: 'cliente, spett le, destinatario',
    nl: 'klant, factuuradres',
  },
  supplier: {
    en: 'from, seller, supplier, vendor, sold by, owned by, own by, operated by, managed by, issued by',
    de: 'verkäufer, lieferant, absender, rechnungssteller, von',
    fr: 'vendeur, fournisseur, émetteur, de la part de',
  },
  vatId: {
    en: `vat id, vat no, vat number, vat reg no, vat registration, gst id, gst no, gst reg no, gst reg, gst id no,
      gst number, gst registration, tax id, tax reg id, tax number, tin, abn, ein, gst, sst no, vat`,
    de: `ust id, ust idnr, ust id nr, umsatzsteuer id, umsatzsteuer identifikationsnummer, uid, mwst nr,
      steuernummer, steuer nr, ustid`,
    fr: 'tva intracommunautaire, n tva, numéro de tva, tva intra, n de tva, id tva',
    es: 'nif, cif, vat',
    it: 'partita iva, p iva, p i',
    nl: 'btw nummer, btw nr',
  },
  registration: {
    en: `co reg, co no, company no, company reg, reg no, roc, registration no, company registration, co reg no,
      registered in, co rfg, business reg`,
    de: 'handelsregister, hrb, hra, amtsgericht, geschäftsführer, registergericht',
    fr: 'rcs, siret, siren, capital, naf, ape',
  },
  contact: {
    en: `tel, telephone, phone, fax, email, e mail, www, http, https, hotline, mobile, whatsapp, website, hp,
      contact, careline, h p, tel no, office, gmail, facebook`,
    de: 'telefon, telefax, internet, web, mobil, fon',
    fr: 'téléphone, courriel, tél, portable, site',
  },
  title: {
    en: `tax invoice, invoice, simplified tax invoice, receipt, official receipt, cash sales, cash bill, bill, cash
      receipt, credit note, duplicate, copy, sales receipt, statement, taxinvoice, cash sale, reprint, welcome,
      invoices`,
    de: 'rechnung, quittung, kassenbon, gutschrift, beleg, kassenbeleg',
    fr: 'facture, avoir, ticket, reçu, ticket de caisse, note',
    es: 'factura, recibo, ticket',
    it: 'fattura, ricevuta, scontrino',
    nl: 'factuur, kassabon, bon',
    ms: 'resit, invois',
  },
  bank: {
    en: 'bank, iban, bic, swift, account, sort code',
    de: 'bankverbindung, konto, blz, sparkasse, volksbank',
    fr: 'banque, rib, domiciliation',
  },
  description: {
    en: 'description, item, item description, product, service, details, article, particulars',
    de: 'bezeichnung, beschreibung, artikel, leistung, position, produkt',
    fr: 'désignation, description, libellé, article, prestation, produit',
    es: 'descripción, concepto',
    it: 'descrizione',
    nl: 'omschrijving',
  },
  columnQuantity: {
    en: 'qty, quantity, hours, units, hrs',
    de: 'menge, anzahl, stunden, stk, stück',
    fr: 'quantité, qté, qte, nombre',
    es: 'cantidad, cant',
    it: 'quantità, qta',
    nl: 'aantal',
  },
  columnUnitPrice: {
    en: 'unit price, price, rate, u price, unit cost, price each, u p',
    de: 'einzelpreis, preis, e preis, stückpreis, ep',
    fr: 'prix unitaire, pu, p u, pu ht, prix, prix unitaire ht, prix u',
    es: 'precio, precio unitario',
    it: 'prezzo, prezzo unitario',
    nl: 'prijs, stuksprijs',
  },
  columnVatRate: {
    en: 'vat, tax, vat rate, tax rate, vat %, gst, tax %, gst %',
    de: 'mwst, ust, mwst %, ust %, steuersatz, mwst satz',
    fr: 'tva, taux tva, tva %',
    es: 'iva',
    it: 'iva',
    nl: 'btw',
  },
  columnAmount: {
    en: 'amount, total, line total, net amount, amt, total price, net',
    de: 'betrag, gesamt, gesamtpreis, summe, nettobetrag, netto, gp',
    fr: 'montant, total, montant ht, total ht, prix total',
    es: 'importe, total',
    it: 'importo, totale',
    nl: 'bedrag, totaal',
  },
} as const satisfies Record<string, Record<string, string>>;

export type Label = keyof typeof vocabulary;

const compiled = new Map<Label, Phrases>();

export function phrasesFor(label: Label): Phrases {
  const known =
    compiled.get(label) ?? phrasesOf(Object.values(vocabulary[label]).flatMap((phrases) => phrases.split(',')));
  compiled.set(label, known);
  return known;
}
