/** What the console reads of the API's answers; `/openapi.json` has all of it. */

export type Values = Record<string, unknown>;

export interface Review {
  id: string;
  name: string;
  path: string | null;
  state: 'open' | 'approved' | 'rejected' | 'withdrawn';
  documentType: string | null;
  reasons: string[];
  fields: string[];
  openedAt: string;
  assignee: string | null;
  heartbeatSeconds: number;
  rejection: string | null;
}

export interface ReviewChange {
  id: string;
  action: 'corrected' | 'approved' | 'rejected' | 'reclassified' | 'reread';
  actor: string;
  changes: { field: string; from: unknown; to: unknown }[];
  reason: string | null;
  createdAt: string;
}

export interface ReviewList {
  reviews: Review[];
  nextCursor: string | null;
  counts: { open: number; byType: Record<string, number>; byField: Record<string, number> };
}

/** `[left, top, right, bottom]` in fractions of the page. */
export type Box = [number, number, number, number];

export interface Evidence {
  page?: number;
  relativeBox?: Box;
  text: string;
  source?: string;
}

export interface Verdict {
  valid: boolean;
  fields: Record<string, { ok: boolean; reason?: string; evidence?: Evidence }>;
  reasons: string[];
}

export type Status = 'in-progress' | 'completed' | 'failed' | 'cancelled';

export interface Document {
  id: string;
  name: string;
  path: string | null;
  status: Status;
  mediaType: string | null;
  bytes: number;
  pages: number | null;
  quality: number | null;
  language: string | null;
  documentType: string | null;
  structuredData: Values | null;
  machineData?: Values | null;
  verdict: Verdict | null;
  revision: number;
  needsReview: boolean;
  review?: { state: Review['state']; by: string | null; at: string | null } | null;
  problems: { code: string; message: string; hint: string }[];
  stages: string[];
  metadata: Values | null;
  parentId: string | null;
  batchId: string | null;
  attachmentRange: { count: number; first: string | null; last: string | null } | null;
  createdAt: string;
  completedAt: string | null;
  links: Record<string, string>;
}

export interface DocumentList {
  documents: Document[];
  nextCursor: string | null;
}

export type FieldKind =
  | 'text'
  | 'date'
  | 'amount'
  | 'number'
  | 'currency'
  | 'iban'
  | 'vat_id'
  | 'lines'
  | 'summary';

export interface Schema {
  name: string;
  definition: {
    title?: string;
    fields: Record<
      string,
      { kind: FieldKind; description: string; columns?: Record<string, FieldKind> }
    >;
  };
}

export interface TextPage {
  number: number;
  width: number;
  height: number;
  text: string;
}

export interface PageList {
  /** False for files without pages of their own. */
  images: boolean;
  pages: { number: number; width: number | null; height: number | null }[];
}

export interface Corrected {
  revision: number;
  values: Values;
  verdict: Verdict;
}

export interface Why {
  reason: string;
  stage: string | null;
  since: string;
  message: string;
}

export interface Delivery {
  id: string;
  destinationId: string;
  status: string;
  createdAt: string;
}
