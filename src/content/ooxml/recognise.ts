import type { Sample } from '../format.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';
import { withZipParts, type ZipParts } from './zip-parts.ts';

/** Content types of main parts, without `.main+xml`, and the media type of the whole file. */
const families = [
  [/wordprocessingml\.document\.main/, 'docx'],
  [/ms-word\.document\.macroEnabled\.main/, 'docm'],
  [/wordprocessingml\.template\.main/, 'dotx'],
  [/ms-word\.template(MacroEnabledTemplate|\.macroEnabled)\.main/, 'dotm'],
  [/presentationml\.(presentation|slideshow|template)\.main/, 'pptx'],
  [/ms-powerpoint\.(presentation|slideshow|template|addin)\.macroEnabled\.main/, 'pptm'],
  [/spreadsheetml\.(sheet|template)\.main/, 'xlsx'],
  [/ms-excel\.(sheet|template|addin)\.macroEnabled\.main/, 'xlsm'],
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/, 'xlsb'],
] as const;

export type OoxmlKind = (typeof families)[number][1];

/** Names of entries that only Office packages start with, as local file headers. */
const hint =
  /PK[\s\S]{28}(\[Content_Types\]\.xml|_rels[/\\]|word[/\\]|xl[/\\]|ppt[/\\]|docProps[/\\]|customXml[/\\])/;

const seen = new WeakMap<Sample, Promise<OoxmlKind | undefined>>();

/** Recognises an Office package by its content types. Asked once per file for all families. */
export function recogniseOoxml(sample: Sample): Promise<OoxmlKind | undefined> {
  let kind = seen.get(sample);
  if (!kind) {
    kind = recognise(sample);
    seen.set(sample, kind);
  }
  return kind;
}

async function recognise({ head, signature = '', file }: Sample): Promise<OoxmlKind | undefined> {
  const isZip = head.toString('latin1', 0, 4) === 'PK\x03\x04';
  if (!isZip || !hint.test(head.toString('latin1'))) return undefined;
  const bySignature = kindOfSignature(signature);
  try {
    return (await kindOfPackage(await file())) ?? bySignature;
  } catch {
    // A damaged package: its reader reports what is wrong with it.
    return bySignature;
  }
}

/** The kind of a package on disk; undefined if it is none. */
export function kindOfPackage(path: string): Promise<OoxmlKind | undefined> {
  return withZipParts(path, findKind);
}

const maxTypesBytes = 2 ** 22;

async function findKind(parts: ZipParts): Promise<OoxmlKind | undefined> {
  const types = await parts.readAll('[Content_Types].xml', maxTypesBytes);
  let found: OoxmlKind | undefined;
  await walkXml(one(types), {
    open(_, attributes) {
      const type = attribute(attributes, 'ContentType');
      if (type) found ??= families.find(([pattern]) => pattern.test(type))?.[1];
    },
    close: () => undefined,
    text: () => undefined,
  });
  return found;
}

async function* one(bytes: Buffer) {
  yield bytes;
}

function kindOfSignature(signature: string): OoxmlKind | undefined {
  if (/wordprocessingml/.test(signature)) return 'docx';
  if (/presentationml/.test(signature)) return 'pptx';
  return /spreadsheetml/.test(signature) ? 'xlsx' : undefined;
}
