import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Outgoing } from '../outgoing/index.ts';

/** What is handed over: a document and what was found in it. */
export interface Handover {
  /** The same for every attempt to hand this over: whoever gets it twice may know by it. */
  key: string;
  documentId: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  md5: string;
  /** What was found in it, for managers that take data. */
  result: Readonly<Record<string, unknown>>;
  open(): Promise<Readable>;
}

/** What a document manager can say about a document. */
export type HandoverAnswer =
  /** It holds the document: now, or long since. */
  | { kind: 'managed'; externalId?: string | undefined }
  /** It has taken it and thinks about it; asked by this reference it will tell. */
  | { kind: 'submitted'; reference: string; askInMs: number }
  | { kind: 'not-managed' }
  | { kind: 'rejected'; reason: string }
  | { kind: 'try-later'; ms: number; reason: string };

/**
 * A document manager. Throws PermanentError when it can never work as it is set up, anything else to be tried again.
 * Nothing is submitted before it was asked whether it knows the document.
 */
export interface Destination {
  lookUp(handover: Handover, signal: AbortSignal): Promise<HandoverAnswer>;
  submit(handover: Handover, signal: AbortSignal): Promise<HandoverAnswer>;
  query(reference: string, handover: Handover, signal: AbortSignal): Promise<HandoverAnswer>;
  /** One real call that changes nothing; what came of it, in a sentence. */
  test(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export interface DestinationKind {
  /** Settings and secret, checked; throws ZodError. */
  parse(settings: unknown, secret: unknown): { settings: Record<string, unknown>; secret: unknown };
  open(settings: unknown, secret: unknown, outgoing: Outgoing): Destination;
}

/** A kind is its settings, its secret and how it is spoken to. */
export function defineKind<Settings extends Record<string, unknown>, Secret>(kind: {
  settings: z.ZodType<Settings>;
  secret: z.ZodType<Secret>;
  open(settings: Settings, secret: Secret, outgoing: Outgoing): Destination;
}): DestinationKind {
  const parse = (settings: unknown, secret: unknown) => ({
    settings: kind.settings.parse(settings),
    secret: kind.secret.parse(secret),
  });
  return {
    parse,
    open(given, hidden, outgoing) {
      const { settings, secret } = parse(given, hidden);
      return kind.open(settings, secret, outgoing);
    },
  };
}
