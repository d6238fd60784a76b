import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Outgoing } from '../outgoing/index.ts';

/** A document and its extraction result, to be delivered. */
export interface Handover {
  /** The same for every attempt, so that receivers can detect duplicates. */
  key: string;
  documentId: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  md5: string;
  /** The extraction result, for managers that accept data. */
  result: Readonly<Record<string, unknown>>;
  open(): Promise<Readable>;
}

/** What a document manager can answer about a document. */
export type HandoverAnswer =
  /** It holds the document, from this submission or an earlier one. */
  | { kind: 'managed'; externalId?: string | undefined }
  /** It accepted the document and is processing it. Query the result by this reference. */
  | { kind: 'submitted'; reference: string; askInMs: number }
  | { kind: 'not-managed' }
  | { kind: 'rejected'; reason: string }
  | { kind: 'try-later'; ms: number; reason: string };

/**
 * A document manager. PermanentError means that the configuration can never work; any other error
 * is retried. `lookUp` is called before `submit`, so that a document is not submitted twice.
 */
export interface Destination {
  lookUp(handover: Handover, signal: AbortSignal): Promise<HandoverAnswer>;
  submit(handover: Handover, signal: AbortSignal): Promise<HandoverAnswer>;
  query(reference: string, handover: Handover, signal: AbortSignal): Promise<HandoverAnswer>;
  /** Makes one real call that changes nothing. Resolves to a sentence about the result. */
  test(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export interface DestinationKind {
  /** Validates settings and secret; throws ZodError. */
  parse(settings: unknown, secret: unknown): { settings: Record<string, unknown>; secret: unknown };
  open(settings: unknown, secret: unknown, outgoing: Outgoing): Destination;
}

/** Defines a kind by its settings, its secret and its client. */
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
    open(rawSettings, rawSecret, outgoing) {
      const { settings, secret } = parse(rawSettings, rawSecret);
      return kind.open(settings, secret, outgoing);
    },
  };
}
