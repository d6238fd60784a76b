import iconv from 'iconv-lite';
import { deEncapsulateSync } from 'rtf-stream-parser';
import { TextWriter } from '../office/text-writer.ts';
import { decodeCodePage } from '../ole/code-page.ts';
import { writeRtf } from '../rtf/read.ts';
import { decompressRtf } from './decompress-rtf.ts';
import type { MapiProperties } from './properties.ts';
import { ids } from './property-ids.ts';

export interface Body {
  text: string;
  html: string;
}

/** The body in the forms that the message has. RTF is used only if there is no other. */
export function readMapiBody(properties: MapiProperties, maxText: number): Body {
  const text = properties.text(ids.body) ?? '';
  const html = readHtml(properties);
  if (text.trim() !== '' || html.trim() !== '') return { text, html };
  const rtf = properties.bytes(ids.rtf);
  return rtf ? readRtfBody(decompressRtf(rtf), maxText) : { text, html };
}

function readHtml(properties: MapiProperties): string {
  const bytes = properties.bytes(ids.html);
  if (!bytes) return properties.text(ids.html) ?? '';
  const stated = properties.number(ids.internetCodePage) ?? properties.codePage;
  const charset = /<meta[^>]{0,200}charset=["']?([\w-]{2,40})/i.exec(
    bytes.toString('latin1', 0, 4096),
  )?.[1];
  if (charset && stated === 1252 && iconv.encodingExists(charset))
    return iconv.decode(bytes, charset);
  return decodeCodePage(bytes, stated);
}

/** RTF bodies often only wrap the original HTML or text. */
function readRtfBody(rtf: Buffer, maxText: number): Body {
  try {
    const { mode, text } = deEncapsulateSync(rtf, { decode: iconv.decode, mode: 'either' });
    return mode === 'html'
      ? { text: '', html: text.toString() }
      : { text: text.toString(), html: '' };
  } catch {
    const writer = new TextWriter(maxText);
    writeRtf(rtf, writer);
    return { text: writer.toString(), html: '' };
  }
}
