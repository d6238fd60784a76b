import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { officeOf, readOffice } from '../../../test/kit/office.ts';
import { zipOf } from '../../../test/kit/zip.ts';

const paragraphs = '<w:p><w:r><w:t>Some text</w:t></w:r></w:p>'.repeat(50);
const odf = '<office:text><text:p>Some text</text:p></office:text>'.repeat(50);
const book = utils.book_new(
  utils.aoa_to_sheet([
    ['Total', 1.5],
    ['x', true],
  ]),
  'One',
);
const files: Record<string, Buffer> = {
  docx: officeOf('word', [{ name: 'word/document.xml', body: paragraphs }]),
  odt: zipOf([
    { name: 'mimetype', body: 'application/vnd.oasis.opendocument.text', stored: true },
    { name: 'content.xml', body: odf },
  ]),
  xlsx: write(book, { type: 'buffer', bookType: 'xlsx' }),
  xlsb: write(book, { type: 'buffer', bookType: 'xlsb' }),
  rtf: Buffer.from(
    `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}${'\\par {\\b text} \\u8364?'.repeat(50)}}`,
  ),
};

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
}

test.each(Object.entries(files))(
  'a damaged %s is read, or refused with a reason',
  async (_, file) => {
    const random = numbers(file.length);
    for (let round = 0; round < 40; round += 1) {
      const bytes = Buffer.from(file);
      for (let i = 0; i < 1 + (round % 4) * 10; i += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const cut = round % 5 === 4 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
      const error = await readOffice(cut).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      // A file that is no longer recognised has no text; every other refusal has a code.
      if (error && !/has no text$/.test(String(error)))
        expect(error).toMatchObject({ name: 'PermanentError' });
    }
  },
);
