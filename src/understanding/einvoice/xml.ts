import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { PermanentError } from '../../errors.ts';

/** An element: child elements by local name, attributes with `@`, its own text as `#text`. */
export type XmlNode = { readonly [name: string]: unknown };

const maxCharacters = 20_000_000;
const maxDepth = 64;

/**
 * Parses untrusted XML: no DOCTYPE, no entities other than the five predefined ones and character
 * references, no deep nesting.
 */
export function parseXml(text: string): XmlNode {
  if (text.length > maxCharacters)
    throw invalid(`The XML has more than ${maxCharacters} characters.`);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw invalid('The XML contains a document type declaration, which is not allowed.');
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) throw invalid(`The XML is not well-formed: ${verdict.err.msg}`);
  try {
    return asNode(parser().parse(text));
  } catch (error) {
    throw invalid('The XML cannot be read.', { cause: error });
  }
}

/** The elements at a path of local names; `*` stands for any name. */
export function nodesAt(node: XmlNode, path: string): XmlNode[] {
  return path
    .split('/')
    .reduce<XmlNode[]>(
      (nodes, name) => nodes.flatMap((parent) => childrenOf(parent, name)),
      [node],
    );
}

/** The first non-empty text at any of the paths. */
export function textAt(node: XmlNode, ...paths: string[]): string | undefined {
  for (const path of paths) {
    for (const found of nodesAt(node, path)) {
      const text = ownText(found);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

export function ownText(node: XmlNode): string | undefined {
  const raw = node['#text'];
  const text = typeof raw === 'string' ? decodeReferences(raw).trim() : '';
  return text === '' ? undefined : text;
}

export function readAttribute(node: XmlNode, name: string): string | undefined {
  const value = node[`@${name}`];
  return typeof value === 'string' ? value : undefined;
}

/** Decodes only the texts that are read, so that a million references cost nothing. */
function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return named[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function parser(): XMLParser {
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    processEntities: false,
    alwaysCreateTextNode: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: maxDepth,
  });
}

function childrenOf(node: XmlNode, name: string): XmlNode[] {
  const children = name === '*' ? Object.values(node).flat() : [node[name]].flat();
  return children.filter(isNode);
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asNode(value: unknown): XmlNode {
  return isNode(value) ? value : {};
}

function invalid(message: string, options?: ErrorOptions): PermanentError {
  return new PermanentError('INVALID_FILE', message, options);
}
