import type { SchemaDefinition } from '../../src/domain/schema/definition.ts';
import { schemaDefinition } from '../../src/domain/schema/index.ts';

/** A document type that does not ship with Millrace. */
export const policy: SchemaDefinition = schemaDefinition.parse({
  title: 'Insurance policy',
  fields: {
    policy_number: {
      kind: 'text',
      description: 'Number of the policy',
      labels: ['Policy number', 'Versicherungsnummer'],
      pattern: '[A-Z]{3}-\\d{6}',
    },
    holder: {
      kind: 'text',
      description: 'Who is insured',
      labels: ['Policyholder', 'Versicherungsnehmer'],
    },
    date: { kind: 'date', description: 'Date of issue', labels: ['Date', 'Datum'] },
    start_date: { kind: 'date', description: 'First day', labels: ['Start date', 'Beginn'] },
    end_date: {
      kind: 'date',
      description: 'Last day',
      labels: ['End date', 'Ende'],
      anyTime: true,
    },
    net_premium: { kind: 'amount', description: 'Premium before tax', labels: ['Net premium'] },
    tax: { kind: 'amount', description: 'Insurance tax', labels: ['Insurance tax'] },
    premium: {
      kind: 'amount',
      description: 'Premium a year',
      labels: ['Annual premium', 'Jahresprämie'],
    },
    people: { kind: 'number', description: 'How many are insured', labels: ['Insured persons'] },
    iban: { kind: 'iban', description: 'Account the premium is taken from' },
  },
  critical: ['policy_number', 'holder', 'premium'],
  rules: [
    { kind: 'order', earlier: 'start_date', later: 'end_date' },
    { kind: 'sum', of: ['net_premium', 'tax'], equals: 'premium' },
  ],
  prompt: 'Read the fields of this insurance policy.',
  recognise: [{ any: ['Insurance policy', 'Versicherungsschein'] }],
});

export const policyText = `Example Insurance plc
INSURANCE POLICY
Policy number: POL-104711 (renewed)
Policyholder: Jane Miller
Date: 2026-02-03
Start date: 2026-03-01   End date: 2031-02-28
Insured persons: 4
Net premium: 1,000.00 EUR
Insurance tax: 190.00 EUR
Annual premium: 1,190.00 EUR
Taken from DE89 3704 0044 0532 0130 00`;

export const policyData = {
  policy_number: 'POL-104711',
  holder: 'Jane Miller',
  date: '2026-02-03',
  start_date: '2026-03-01',
  end_date: '2031-02-28',
  net_premium: 1000,
  tax: 190,
  premium: 1190,
  people: 4,
  iban: 'DE89370400440532013000',
};
