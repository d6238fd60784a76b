import { codePageOfLanguage, decodeCodePage } from '../ole/code-page.ts';
import { ids } from './property-ids.ts';

/** Types of values (MS-OXCDATA) that are read. */
export const types = {
  short: 0x0002,
  long: 0x0003,
  boolean: 0x000b,
  object: 0x000d,
  text: 0x001e,
  wideText: 0x001f,
  time: 0x0040,
  binary: 0x0102,
} as const;

export interface MapiValue {
  type: number;
  bytes: Buffer;
}

/** The properties of a message, a recipient or an attachment, by their id. */
export class MapiProperties {
  readonly #values: ReadonlyMap<number, MapiValue>;
  readonly #codePage: number;

  /** Texts that are not Unicode are in the code page of the message. */
  constructor(values: ReadonlyMap<number, MapiValue>, codePage?: number) {
    this.#values = values;
    this.#codePage = codePage ?? this.#ownCodePage();
  }

  get codePage(): number {
    return this.#codePage;
  }

  text(id: number): string | undefined {
    const value = this.#values.get(id);
    if (!value) return undefined;
    const { type, bytes } = value;
    if (type === types.wideText) return withoutEnd(bytes.toString('utf16le'));
    return type === types.text ? withoutEnd(decodeCodePage(bytes, this.#codePage)) : undefined;
  }

  number(id: number): number | undefined {
    const { type, bytes } = this.#values.get(id) ?? {};
    if (type === types.long && bytes && bytes.length >= 4) return bytes.readInt32LE(0);
    return type === types.short && bytes && bytes.length >= 2 ? bytes.readInt16LE(0) : undefined;
  }

  /** In UTC, as ISO 8601. */
  time(id: number): string | undefined {
    const { type, bytes } = this.#values.get(id) ?? {};
    if (type !== types.time || !bytes || bytes.length < 8) return undefined;
    const date = new Date(Number(bytes.readBigUInt64LE(0) / 10_000n) - filetimeEpoch);
    const year = Number.isNaN(date.getTime()) ? 0 : date.getUTCFullYear();
    return year > 1601 && year < 4500 ? date.toISOString() : undefined;
  }

  bytes(id: number): Buffer | undefined {
    const { type, bytes } = this.#values.get(id) ?? {};
    return type === types.binary || type === types.object ? bytes : undefined;
  }

  #ownCodePage(): number {
    const stated = this.number(ids.codePage) ?? 0;
    const internet = this.number(ids.internetCodePage) ?? 0;
    const locale = this.number(ids.locale) ?? 0;
    // 1200 is UTF-16, which texts of this type never are.
    const isUsable = (page: number) => page > 0 && page !== 1200;
    if (isUsable(stated)) return stated;
    if (locale > 0 && codePageOfLanguage(locale) !== 1252) return codePageOfLanguage(locale);
    return isUsable(internet) ? internet : 1252;
  }
}

/** Milliseconds from 1601, where Windows starts counting, to 1970. */
const filetimeEpoch = 11_644_473_600_000;

function withoutEnd(text: string): string {
  return text.replace(/\0+$/, '');
}
