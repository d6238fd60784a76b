import type { EmbeddedFile, Word } from '../domain/transcription.ts';
import type { UnpackedEntry, UnpackLimits } from './container.ts';
import type { Raster } from './image/raster.ts';
import type { Sample } from './sample.ts';

/** A file on the local disk. Its bytes are hostile: what opens it runs in the sandbox. */
export interface ContentFile {
  path: string;
  mediaType: string;
  /** Opens the file, if it is encrypted. */
  password?: string | undefined;
}

export interface InspectInput extends ContentFile {
  /** Facts about single pages are wanted for this many at most. */
  maxPages: number;
  /** Of one image. */
  maxPixels: number;
}

export interface Inspection {
  pages: number;
  /** It has a security handler, though it may open without a password. */
  encrypted: boolean;
  /** Files inside it that hold data of the document itself, such as the XML of an e-invoice. */
  embedded: EmbeddedFile[];
}

export interface TextInput extends ContentFile {
  /** 1-based, both included. */
  first: number;
  last: number;
  /** In characters. */
  maxText: number;
}

export interface TextPage {
  number: number;
  width: number;
  height: number;
  text: string;
  words: Word[];
  /** How the text lies on the page; absent where the text is all there is. */
  layer?: LayerFacts;
}

export interface LayerFacts {
  /** Words that a person looking at the page may not see. */
  hidden: string[];
  /** What is left without them. */
  visible: { text: string; words: Word[] };
  /** Share of the characters that mean nothing: unmapped, private or replaced. */
  garbage: number;
  /** Share of the page that its largest image covers. */
  imageCoverage: number;
}

export interface TextOutput {
  pages: TextPage[];
  truncated: boolean;
}

export interface PageInput extends ContentFile {
  /** 1-based. */
  page: number;
  maxPixels: number;
  /** Of formats that have no pixels of their own. */
  dpi?: number | undefined;
}

export interface LoadedPage {
  raster: Raster;
  /** In pixels of an image, in points of a PDF. */
  width: number;
  height: number;
}

export interface PdfInput extends ContentFile {
  /** 1-based. */
  first: number;
  count: number;
}

export interface UnpackInput extends ContentFile {
  /** Where the files go, each named by its position: names of entries never become names of files. */
  directory: string;
  limits: UnpackLimits;
}

/** What a format can do beyond being recognised. Documentation and the API list these in this order. */
export const capabilities = ['text', 'pages', 'pdf', 'unpack'] as const;
export type Capability = (typeof capabilities)[number];

/**
 * One family of formats: how it is recognised, and what can be done with it. Apart from `accepts`, everything runs in
 * a sandbox process, so each function loads its engine when it is first called.
 */
export interface Format {
  /** For people: `PDF`, `Image`. */
  title: string;
  /** The media types of the family, each with the usual file name extensions. */
  types: Readonly<Record<string, readonly string[]>>;
  /** Recognises a file by its content and returns one of `types`. */
  accepts(sample: Sample): string | undefined | Promise<string | undefined>;
  /** Counts pages. Every format that has text or pages has this. */
  inspect?(input: InspectInput): Promise<Inspection>;
  /** The text that the file itself carries. */
  text?(input: TextInput): Promise<TextOutput>;
  /** A page as pixels. */
  pages?(input: PageInput): Promise<LoadedPage>;
  /** Some of its pages as a PDF of their own. */
  pdf?(input: PdfInput): Promise<Uint8Array>;
  /** Writes each entry of a container to a file. */
  unpack?(input: UnpackInput): Promise<UnpackedEntry[]>;
}
