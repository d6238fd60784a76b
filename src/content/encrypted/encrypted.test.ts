import { utils, write } from '@e965/xlsx';
import officeCrypto from 'officecrypto-tool';
import { expect, test } from 'vitest';
import { officeOf, readOffice } from '../../../test/kit/office.ts';

const document = officeOf('word', [
  { name: 'word/document.xml', body: '<w:p><w:r><w:t>Secret</w:t></w:r></w:p>' },
  { name: 'docProps/core.xml', body: '<c><dc:creator>Ada</dc:creator></c>' },
]);
const encrypt = (password: string, type?: 'standard') =>
  officeCrypto.encrypt(document, type ? { password, type } : { password });

test.each([undefined, 'standard'] as const)('opens with its password (%s)', async (type) => {
  expect(await readOffice(encrypt('open sesame', type), {}, 'open sesame')).toMatchObject({
    mediaType: 'application/x-ooxml-protected',
    pages: ['Secret'],
    metadata: { author: 'Ada' },
  });
});

test('the default password of Office is tried without asking', async () => {
  expect((await readOffice(encrypt('VelvetSweatshop', 'standard'))).pages).toEqual(['Secret']);
});

test.each([
  [undefined, 'The document cannot be opened without a password'],
  ['wrong', 'The password does not open the document'],
])('the password %s is refused', async (password, message) => {
  await expect(readOffice(encrypt('right', 'standard'), {}, password)).rejects.toMatchObject({
    code: 'PASSWORD_PROTECTED',
    message,
  });
});

test('a workbook that is not encrypted needs no password', async () => {
  const book = utils.book_new(utils.aoa_to_sheet([['open']]), 'One');
  const bytes = write(book, { type: 'buffer', bookType: 'biff8' });
  expect((await readOffice(bytes, {}, 'unused')).pages).toEqual(['One\nopen']);
});
