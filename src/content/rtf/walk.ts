import { decodeCodePage } from '../ole/code-page.ts';
import { type RtfToken, tokenizeRtf } from './tokens.ts';
import {
  characters,
  codePageOfCharset,
  codePageOfDocument,
  optionalText,
  withoutText,
} from './vocabulary.ts';

/** Receives the text of a document and what it belongs to. */
export interface RtfVisitor {
  text(text: string, place: RtfPlace): void;
  /** A control word outside of what is skipped, such as `par` or `cell`. */
  word(name: string, value: number | undefined, place: RtfPlace): void;
  closed(place: RtfPlace): void;
  isDone(): boolean;
}

export interface RtfPlace {
  /** The kind of the group: `footnote`, `title`; empty for plain groups. */
  destination: string;
  deleted: boolean;
}

interface Group extends RtfPlace {
  skipped: boolean;
  font: number | undefined;
  /** Characters that follow `\u` as a replacement for old programs. */
  replacements: number;
}

/** More nesting than any program writes. */
const maxDepth = 10_000;

/** Walks an RTF document. `wanted` are groups to visit that are skipped otherwise. */
export function walkRtf(
  source: Buffer,
  visitor: RtfVisitor,
  wanted: ReadonlySet<string> = new Set(),
): void {
  new Walk(visitor, wanted).run(source);
}

class Walk {
  readonly #visitor: RtfVisitor;
  readonly #wanted: ReadonlySet<string>;
  readonly #groups: Group[] = [];
  readonly #codePages = new Map<number, number>();
  #group: Group = {
    destination: '',
    deleted: false,
    skipped: false,
    font: undefined,
    replacements: 1,
  };
  #codePage = 1252;
  #defaultFont: number | undefined;
  /** A group has just been opened, or opened and marked `\*`. */
  #start: 'group' | 'optional' | undefined;
  /** Replacement characters still to be skipped. */
  #toSkip = 0;
  #bytes: Buffer[] = [];
  /** Depth below groups that were too deep to keep. */
  #tooDeep = 0;

  constructor(visitor: RtfVisitor, wanted: ReadonlySet<string>) {
    this.#visitor = visitor;
    this.#wanted = wanted;
  }

  run(source: Buffer): void {
    for (const token of tokenizeRtf(source)) {
      if (token.kind !== 'bytes') this.#flush();
      this.#take(token);
      if (this.#visitor.isDone()) return;
    }
    this.#flush();
  }

  #take(token: RtfToken): void {
    if (token.kind === 'open') this.#open();
    else if (token.kind === 'close') this.#close();
    else if (token.kind === 'word') this.#word(token.name, token.value);
    else this.#addBytes(token.bytes);
  }

  #open(): void {
    this.#toSkip = 0;
    if (this.#groups.length >= maxDepth) {
      this.#tooDeep += 1;
      return;
    }
    this.#groups.push(this.#group);
    this.#group = { ...this.#group };
    this.#start = 'group';
  }

  #close(): void {
    this.#toSkip = 0;
    this.#start = undefined;
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return;
    }
    const { skipped, destination } = this.#group;
    const outer = this.#groups.pop();
    if (!skipped && outer && destination !== outer.destination) this.#visitor.closed(this.#group);
    if (outer) this.#group = outer;
  }

  #word(name: string, value: number | undefined): void {
    const start = this.#start;
    this.#start = undefined;
    if (name === '*') {
      this.#start = start && 'optional';
      return;
    }
    if (start) this.#enter(name, start === 'optional');
    if (this.#toSkip > 0 && characters[name] !== undefined) {
      this.#toSkip -= 1;
      return;
    }
    this.#setFont(name, value);
    const group = this.#group;
    if (name === 'uc') group.replacements = Math.min(Math.max(value ?? 1, 0), 100);
    if (name === 'deleted') group.deleted = value !== 0;
    if (name === 'plain') group.deleted = false;
    if (group.skipped) return;
    if (name === 'u') this.#unicode(value ?? 0);
    else if (characters[name] !== undefined) this.#visitor.text(characters[name], group);
    else this.#visitor.word(name, value, group);
  }

  /** The first word of a group says what it holds. */
  #enter(name: string, isOptional: boolean): void {
    const group = this.#group;
    if (this.#wanted.has(name)) {
      group.destination = name;
      group.skipped = false;
    } else if (withoutText.has(name) || (isOptional && !optionalText.has(name))) {
      group.skipped = true;
      group.destination = name;
    } else if (name === 'ud') {
      group.skipped = this.#groups.at(-2)?.skipped ?? false;
    } else if (name === 'upr') {
      // Text in two versions: an old one, which is skipped, and a group `\ud`.
      group.skipped = true;
    } else if (isOptional || destinations.has(name)) {
      group.destination = name;
    }
  }

  #setFont(name: string, value: number | undefined): void {
    if (value === undefined && codePageOfDocument[name] !== undefined)
      this.#codePage = codePageOfDocument[name];
    if (value === undefined) return;
    if (name === 'ansicpg' && value > 0) this.#codePage = value;
    if (name === 'deff') this.#defaultFont = value;
    if (name === 'f') this.#group.font = value;
    const { font, destination } = this.#group;
    if (name === 'fcharset' && font !== undefined && destination === 'fonttbl') {
      const codePage = codePageOfCharset[value];
      // Character set 0 and 1 mean the default of the document.
      if (codePage !== undefined && value > 1) this.#codePages.set(font, codePage);
    }
  }

  #unicode(value: number): void {
    const code = value < 0 ? value + 65_536 : value;
    if (code > 0 && code < 0x1_0000) this.#visitor.text(String.fromCharCode(code), this.#group);
    this.#toSkip = this.#group.replacements;
  }

  #addBytes(bytes: Buffer): void {
    this.#start = undefined;
    const kept = bytes.subarray(Math.min(this.#toSkip, bytes.length));
    this.#toSkip -= bytes.length - kept.length;
    if (!this.#group.skipped && kept.length > 0) this.#bytes.push(kept);
  }

  /** Characters of several bytes may be spread over tokens, so bytes are decoded together. */
  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Buffer.concat(this.#bytes);
    this.#bytes = [];
    const font = this.#group.font ?? this.#defaultFont;
    const codePage = (font === undefined ? undefined : this.#codePages.get(font)) ?? this.#codePage;
    this.#visitor.text(decodeCodePage(bytes, codePage), this.#group);
  }
}

/** What a document says about itself. */
export const infoDestinations = [
  'title',
  'author',
  'operator',
  'subject',
  'keywords',
  'doccomm',
  'company',
  'category',
  'manager',
  'creatim',
  'revtim',
  'printim',
];

/** Groups without `\*` that are visited under their name. */
const destinations = new Set([
  'footnote',
  'header',
  'footer',
  'headerl',
  'headerr',
  'headerf',
  'footerl',
  'footerr',
  'footerf',
  ...infoDestinations,
]);
