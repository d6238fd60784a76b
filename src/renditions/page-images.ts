import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImageFormat } from '../content/page-image.ts';
import { NotFoundError } from '../errors.ts';
import { runAs } from '../lib/run-owner.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { SECOND } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import { download } from '../storage/download.ts';
import { storageKeys } from '../storage/keys.ts';
import { copyTranscription } from '../storage/transcriptions.ts';
import type { PageOrigin } from '../understanding/operations.ts';

/** A document whose pages were read. */
export interface PagedDocument {
  id: string;
  workspaceId: string;
  ingestionId: string;
  mediaType: string;
  storageKey: string;
  sha256: string;
  transcriptionKey: string;
  transcriptionSha256: string;
  preprocessedKey: string | null;
  preprocessedType: string | null;
}

export interface PageImage {
  page: number;
  /** In pixels. */
  width: number;
  format: ImageFormat;
}

interface StoredImage {
  key: string;
  bytes: number;
}

/** A page takes well under a second. */
const limits = { timeoutMs: 60 * SECOND, cpu: { loadMs: 20 * SECOND, workMs: 20 * SECOND } };

/** Images of pages, made on the first request and kept with the ingestion. */
export class PageImages {
  readonly #resources: Pick<Resources, 'storage' | 'sandbox' | 'settings'>;
  readonly #running = new SingleFlight<StoredImage>();

  constructor(resources: Pick<Resources, 'storage' | 'sandbox' | 'settings'>) {
    this.#resources = resources;
  }

  /** Throws NotFoundError if the document has no such page. */
  async find(document: PagedDocument, image: PageImage): Promise<StoredImage> {
    const key = storageKeys.pageImage(document, image);
    return this.#running.run(key, async () => {
      const stored = await this.#resources.storage.head(key);
      if (stored) return stored;
      const owner = { workspaceId: document.workspaceId, taskId: document.id };
      return runAs(owner, () => this.#make(key, document, image));
    });
  }

  async #make(key: string, document: PagedDocument, image: PageImage): Promise<StoredImage> {
    const { storage, sandbox, settings } = this.#resources;
    const directory = await mkdtemp(join(tmpdir(), 'millrace-page-'));
    try {
      const origin = await this.#findOrigin(document, image.page, directory);
      const file = await this.#fetch(document, image.page, origin, directory);
      const output = join(directory, 'image');
      const { rotation } = origin;
      const { maxPixels } = settings;
      await sandbox.run(
        'rendition.page',
        { ...image, ...file, rotation, maxPixels, output },
        limits,
      );
      await storage.put(key, createReadStream(output), { mediaType: `image/${image.format}` });
      return { key, bytes: (await stat(output)).size };
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #findOrigin(
    { transcriptionKey, transcriptionSha256 }: PagedDocument,
    page: number,
    directory: string,
  ): Promise<PageOrigin> {
    const { storage, sandbox } = this.#resources;
    const path = join(directory, 'transcription');
    await copyTranscription(storage, transcriptionKey, transcriptionSha256, path);
    const origin = await sandbox.run('understanding.page-origin', { path, page }, limits);
    if (!origin) throw new NotFoundError('The document has no such page.');
    return origin;
  }

  /** The file that the words of the page were read from, and the number of the page in it. */
  async #fetch(
    document: PagedDocument,
    page: number,
    { repairedAs }: PageOrigin,
    directory: string,
  ): Promise<{ path: string; mediaType: string; page: number }> {
    const { storage } = this.#resources;
    const { storageKey, sha256, mediaType, preprocessedKey, preprocessedType } = document;
    const path = join(directory, 'pages');
    if (repairedAs !== undefined && preprocessedKey && preprocessedType) {
      await download(storage, preprocessedKey, path);
      return { path, mediaType: preprocessedType, page: repairedAs };
    }
    await download(storage, storageKey, path, { sha256 });
    return { path, mediaType, page };
  }
}
