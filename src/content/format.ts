import type { Metadata } from '../domain/metadata.ts';
import type { Problem } from '../domain/problem.ts';
import type { Box, EmbeddedFile, Word } from '../domain/transcription.ts';
import type { UnpackedEntry, UnpackLimits } from './container.ts';
import type { Raster } from './image/raster.ts';

/** A file on the local disk. Its content is untrusted: only sandbox processes may open it. */
export interface ContentFile {
  path: string;
  mediaType: string;
  /** Decrypts the file, if it is encrypted. */
  password?: string | undefined;
}

/** Enough for every signature, including formats based on zip. */
export const headBytes = 64 * 1024;

/** What a format is recognised by. */
export interface Sample {
  /** The first 64 KiB. */
  head: Buffer;
  /** The same, decoded as UTF-8. */
  text: string;
  /** Media type by signature (magic number), if it is known. */
  signature: string | undefined;
  /** Its name: a hint where the content does not decide, as between plain text and Markdown. */
  name?: string | undefined;
  /** Downloads the file once and returns its path: for formats that need more than the head. */
  file(): Promise<string>;
}

export interface InspectInput extends ContentFile {
  /** Upper limit for per-page inspection. */
  maxPages: number;
  maxPixels: number;
}

export interface Inspection {
  pages: number;
  /** The file has a security handler. It may still open without a password. */
  encrypted: boolean;
  /** Embedded files with structured data of the document, such as the XML of an e-invoice. */
  embedded: EmbeddedFile[];
}

export interface TextInput extends ContentFile {
  /** 1-based, inclusive. */
  first: number;
  last: number;
  /** In characters. */
  maxText: number;
  /** Limit for spreadsheets, over all sheets. */
  maxRows?: number | undefined;
  /** Takes the pictures in the file; absent if they are not to be read. */
  pictures?: PictureTaker | undefined;
}

/** Loads the bytes of a picture, when it is its turn. */
export type LoadPicture = () => Buffer | undefined | Promise<Buffer | undefined>;

/** Takes the pictures that a reader finds in a file. */
export interface PictureTaker {
  /**
   * Returns the mark to write where the text has the picture.
   * @param name Identifies a picture that the file stores once and shows several times.
   */
  add(name: string, load: LoadPicture): string;
  /** Saves what was added so far. Readers call this while their file is still open. */
  save(): Promise<void>;
}

/** Which pictures in a file are saved, and where. */
export interface PictureLimits {
  directory: string;
  minPixels: number;
  maxPixels: number;
  /** Per file. */
  most: number;
}

/** A picture in a file, saved as a file of its own. */
export interface SavedPicture {
  /** That of its mark in the text. */
  number: number;
  path: string;
  mediaType: string;
}

export interface TextPage {
  number: number;
  width: number;
  height: number;
  text: string;
  words: Word[];
  /** Properties of the text layer; absent for formats that are text only. */
  layer?: LayerFacts;
}

export interface LayerFacts {
  /** Words that are likely invisible on the rendered page. */
  hidden: string[];
  visible: { text: string; words: Word[] };
  /** Share of characters that are unmapped, private use or U+FFFD. */
  garbage: number;
  /** Share of the page area covered by its largest image. */
  imageCoverage: number;
  /** Pictures on the page that the text layer does not cover. */
  pictures: PagePicture[];
}

/** A picture on a page, in page units. */
export interface PagePicture {
  box: Box;
  /** In pixels, as stored or as rendered, whichever is less. */
  pixels: number;
}

export interface TextOutput {
  pages: TextPage[];
  truncated: boolean;
  /** What else is wrong with the text, such as that there is none. */
  problems?: Problem[];
  /** The second engine, if that one has read the text. */
  engine?: string;
  pictures?: SavedPicture[];
  /** Pictures beyond the limit. */
  picturesLeftOut?: number;
}

export interface PageInput extends ContentFile {
  /** 1-based. */
  page: number;
  maxPixels: number;
  /** Render resolution, for formats without a native one. */
  dpi?: number | undefined;
  /** Instead of `dpi`: the length that one side of the page should have, in pixels. */
  fit?: { side: 'width' | 'height'; pixels: number } | undefined;
  /** The part of the page to render, in page units; all of it when absent. */
  part?: Box | undefined;
}

export interface LoadedPage {
  raster: Raster;
  /** In pixels for images, in points for PDFs. */
  width: number;
  height: number;
}

export interface PdfInput extends ContentFile {
  /** 1-based. */
  first: number;
  count: number;
}

export interface UnpackInput extends ContentFile {
  /** The name of the container: compressed files without a name inside are named after it. */
  name?: string | undefined;
  /** Output directory. Files are named by position: entry names never become file names. */
  directory: string;
  limits: UnpackLimits;
  /**
   * Leaves out encrypted entries. Without it, the first entry that the password does not open ends
   * the container with PASSWORD_PROTECTED, so that another password can be tried.
   */
  skipEncrypted?: boolean | undefined;
  /** The number of leading positions that an earlier attempt has taken. They are not yielded. */
  skip: number;
  /** Size of all volumes of a split archive; that of the file when absent. */
  packedBytes?: number | undefined;
  /** The name of a volume that is missing: what needs it is an exception. */
  missingVolume?: string | undefined;
  /** The usual engine has failed in several runs: begin with the second one, if there is one. */
  preferSecond?: boolean | undefined;
  /** Called when a second engine answers. Set where the container is read. */
  onSecondEngine?: ((engine: string, reason: string) => void) | undefined;
}

/** What a format supports. Documentation and the API list capabilities in this order. */
export const capabilities = ['text', 'pages', 'pdf', 'metadata', 'unpack'] as const;
export type Capability = (typeof capabilities)[number];

/**
 * A family of formats: how it is recognised and which capabilities it has. Everything except
 * `accepts` runs in a sandbox process, so each function loads its engine on first use.
 */
export interface Format {
  /** Display name: `PDF`, `Image`. */
  title: string;
  /** Media types of the family, each with its usual file extensions. */
  types: Readonly<Record<string, readonly string[]>>;
  /** Recognises a file by its content and returns one of `types`. */
  accepts(sample: Sample): string | undefined | Promise<string | undefined>;
  /** Counts pages. Required for every format with `text` or `pages`. */
  inspect?(input: InspectInput): Promise<Inspection>;
  /** Reads text stored in the file itself. */
  text?(input: TextInput): Promise<TextOutput>;
  /** Renders a page as pixels. */
  pages?(input: PageInput): Promise<LoadedPage>;
  /** Exports a range of pages as a separate PDF. */
  pdf?(input: PdfInput): Promise<Uint8Array>;
  /** Reads what the file says about itself: its author, title, dates. */
  metadata?(input: ContentFile): Promise<Metadata>;
  /**
   * Yields each entry as soon as its file is complete, in an order that depends on the bytes of the
   * container alone: positions count up from `skip` without gaps. An error after the first entry
   * ends the container there; one entry that cannot be unpacked is yielded with the reason.
   * A format with `text` and `unpack` is unpacked first, then read: the parent of its family.
   */
  unpack?(input: UnpackInput): AsyncIterable<UnpackedEntry>;
  /**
   * Whether a file has anything to unpack; without this function every file does. Like `accepts` it
   * runs outside the sandbox, so it is bounded and linear. When in doubt: true, which costs a stage.
   */
  holds?(sample: Sample): boolean | Promise<boolean>;
}
