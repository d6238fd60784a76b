import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFormat } from '../../src/content/index.ts';
import { sniff } from '../../src/content/sniff.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { zipOf } from './zip.ts';

/** Reads a file the way the pipeline does: recognises it by content, then reads its pages. */
export async function readOffice(
  bytes: Buffer,
  limits: { maxText?: number; maxRows?: number } = {},
  password?: string,
  name?: string,
) {
  const path = join(await temporaryDirectory(), 'file');
  writeFileSync(path, bytes);
  const mediaType = await sniff(createReadStream(path), async () => path, name);
  const format = findFormat(mediaType);
  if (!format?.inspect || !format.text) throw new Error(`${mediaType} has no text`);
  const { pages } = await format.inspect({
    path,
    mediaType,
    password,
    maxPages: 1000,
    maxPixels: 1,
  });
  const input = {
    path,
    mediaType,
    password,
    first: 1,
    last: pages,
    maxText: 10_000_000,
    ...limits,
  };
  const { pages: read, truncated } = await format.text(input);
  const metadata = await format.metadata?.({ path, mediaType, password });
  return { mediaType, pages: read.map(({ text }) => text), truncated, metadata };
}

const main = {
  word: 'wordprocessingml.document',
  ppt: 'presentationml.presentation',
  xl: 'spreadsheetml.sheet',
};

export interface Part {
  name: string;
  body: string | Buffer;
  /** Type and target of what the part refers to; ids are r1, r2, … */
  refers?: [type: string, target: string][];
}

/** An Office package. The first part is the main one. */
export function officeOf(folder: keyof typeof main, [first, ...rest]: [Part, ...Part[]]): Buffer {
  const all = [first, ...rest];
  const type = `application/vnd.openxmlformats-officedocument.${main[folder]}.main+xml`;
  const types = `<Types><Override PartName="/${first.name}" ContentType="${type}"/></Types>`;
  return zipOf([
    { name: '[Content_Types].xml', body: types },
    relationships('', [
      ['officeDocument', first.name],
      ['core-properties', 'docProps/core.xml'],
      ['extended-properties', 'docProps/app.xml'],
    ]),
    ...all.map(({ name, body }) => ({ name, body })),
    ...all.flatMap(({ name, refers }) => (refers ? [relationships(name, refers)] : [])),
  ]);
}

function relationships(part: string, refers: readonly [string, string][]) {
  const slash = part.lastIndexOf('/') + 1;
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const rows = refers.map(
    ([type, target], i) =>
      `<Relationship Id="r${i + 1}" Type="${base}/${type}" Target="${part ? '/' : ''}${target}"/>`,
  );
  return {
    name: `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
    body: `<Relationships>${rows.join('')}</Relationships>`,
  };
}
