import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { HostileError } from '../hostile-error.ts';
import { DamagedPartError } from '../ooxml/damaged-part.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Receives elements by their local name: producers choose prefixes, and even namespaces, freely. */
export interface XmlVisitor {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
  /** The rest of the document is not needed. */
  isDone?(): boolean;
}

export interface XmlOptions {
  /** Office files have no document type; other XML may. Its entities are never expanded. */
  doctype?: 'refuse' | 'ignore';
}

/** Real documents have fewer than a hundred levels. */
const maxDepth = 2000;
/** Longest text without a tag; the parser holds it in memory. */
const maxTextNode = 2 ** 24;

/**
 * Streams an XML document through a visitor. Returns false if the document is malformed or
 * damaged, so that its rest was not visited. Throws PermanentError for what only hostile documents contain.
 */
export async function walkXml(
  source: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  { doctype = 'refuse' }: XmlOptions = {},
): Promise<boolean> {
  const parser = createParser(visitor, doctype);
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of source) {
      decoder ??= new TextDecoder(encodingOf(bytes));
      parser.write(decoder.decode(bytes, { stream: true }));
      if (visitor.isDone?.()) return true;
    }
    parser.close();
    return true;
  } catch (error) {
    if (error instanceof Malformed || error instanceof DamagedPartError) return false;
    throw error;
  }
}

class Malformed extends Error {}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

interface Parser {
  write(chunk: string): void;
  close(): void;
}

function createParser(visitor: XmlVisitor, doctype: XmlOptions['doctype']): Parser {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({
    position: false,
    xmlns: false,
  });
  let depth = 0;
  let silent = 0;
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    silent = 0;
    if (depth > maxDepth)
      throw new HostileError(`Its XML is nested more than ${maxDepth} levels deep`);
    visitor.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    silent = 0;
    visitor.close(localName(name));
  });
  parser.on('text', (text) => visitor.text(text));
  parser.on('cdata', (text) => visitor.text(text));
  parser.on('doctype', () => {
    if (doctype === 'ignore') return;
    throw new HostileError('Its XML has a document type declaration, which is not allowed');
  });
  parser.on('error', (error) => {
    throw new Malformed(error.message);
  });
  return {
    write(chunk) {
      silent += chunk.length;
      parser.write(chunk);
      if (silent > maxTextNode) throw new HostileError('Its XML has a text of extreme length');
    },
    close: () => parser.close(),
  };
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The attribute with this local name, whatever its prefix. */
export function attribute(attributes: Attributes, local: string): string | undefined {
  const exact = attributes[local];
  if (exact !== undefined) return exact;
  const suffix = `:${local}`;
  for (const name in attributes) if (name.endsWith(suffix)) return attributes[name];
  return undefined;
}
