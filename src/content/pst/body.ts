import type { PSTMessage } from '@hiraokahypertools/pst-extractor';
import iconv from 'iconv-lite';
import { deEncapsulateSync } from 'rtf-stream-parser';

const properties = { html: 0x1013, codePage: 0x3fde };

export interface Bodies {
  text: string;
  html: string;
  /** A body that is nothing but RTF. It is read as a file of its own. */
  rtf?: string;
}

/** The text and HTML of an item. If it has neither, they are recovered from its RTF. */
export function readBodies(message: PSTMessage): Bodies {
  const html = message.bodyHTML || decodeHtml(message);
  const text = message.body;
  return text || html ? { text, html } : fromRtf(message.bodyRTF);
}

/** HTML is often stored as bytes in a code page of its own. */
function decodeHtml(message: PSTMessage): string {
  const bytes: unknown = message.getProperty(properties.html)?.value;
  if (!(bytes instanceof ArrayBuffer) && !ArrayBuffer.isView(bytes)) return '';
  const buffer = Buffer.from(bytes instanceof ArrayBuffer ? bytes : bytes.buffer);
  return decode(buffer, Number(message.getProperty(properties.codePage)?.value ?? 65001));
}

const utf8 = 65001;

function decode(bytes: Buffer, codePage: number): string {
  const name = codePage === utf8 ? 'utf8' : `cp${codePage}`;
  return iconv.decode(bytes, iconv.encodingExists(name) ? name : 'utf8');
}

/** Outlook wraps HTML and text in RTF. */
function fromRtf(rtf: string): Bodies {
  if (!rtf) return { text: '', html: '' };
  try {
    const { mode, text } = deEncapsulateSync(Buffer.from(rtf, 'latin1'), {
      decode: iconv.decode,
      mode: 'either',
    });
    const content = String(text);
    return mode === 'html' ? { text: '', html: content } : { text: content, html: '' };
  } catch {
    return { text: '', html: '', rtf };
  }
}
