import { createHash, randomUUID } from 'node:crypto';

export interface Held {
  id: number;
  name: string;
  sha256: string;
  md5: string;
  metadata: unknown;
}

/** Stored documents and submissions of the simulated manager. */
export class ManagerStore {
  readonly documents: Held[] = [];
  readonly submissions = new Map<
    string,
    { sha256: string; asked: number; duplicateOf: Held | undefined }
  >();
  /** Number of submissions per document, by SHA-256. */
  readonly handedOver = new Map<string, number>();

  find(hash: string): Held | undefined {
    return this.documents.find(({ sha256, md5 }) => sha256 === hash || md5 === hash);
  }

  /** Stores each document once. A repeated submission only updates the metadata. */
  take(name: string, bytes: Buffer, metadata: unknown): { reference: string; held: Held } {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const md5 = createHash('md5').update(bytes).digest('hex');
    this.handedOver.set(sha256, (this.handedOver.get(sha256) ?? 0) + 1);
    const duplicateOf = this.find(sha256);
    const held = duplicateOf ?? { id: this.documents.length + 1, name, sha256, md5, metadata };
    if (duplicateOf) duplicateOf.metadata = metadata;
    else this.documents.push(held);
    const reference = randomUUID();
    this.submissions.set(reference, { sha256, asked: 0, duplicateOf });
    return { reference, held };
  }
}
