import { expect, test } from 'vitest';
import { officeOf, readOffice } from '../../../test/kit/office.ts';
import { headerText } from './annotations.ts';
import { columnOf } from './cells.ts';

function workbook(cells: string, sheetsRest = '') {
  return officeOf('xl', [
    {
      name: 'xl/workbook.xml',
      body: `<workbook><workbookPr/><sheets><sheet name="Sums" r:id="r1"/><sheet name="Secret" state="veryHidden" r:id="r2"/></sheets>
        <definedNames><definedName name="Rate">0.19</definedName><definedName name="_xlnm.Print_Area">A1</definedName></definedNames></workbook>`,
      refers: [
        ['worksheet', 'xl/worksheets/sheet1.xml'],
        ['worksheet', 'xl/worksheets/sheet2.xml'],
        ['sharedStrings', 'xl/sharedStrings.xml'],
        ['styles', 'xl/styles.xml'],
      ],
    },
    {
      name: 'xl/sharedStrings.xml',
      body: '<sst><si><t>Total</t></si><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>x</t></rPh></si></sst>',
    },
    {
      name: 'xl/styles.xml',
      body: '<s><numFmts><numFmt numFmtId="164" formatCode="#,##0.00"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></s>',
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      body: `<worksheet><sheetData>${cells}</sheetData>${sheetsRest}</worksheet>`,
      refers: [
        ['comments', 'xl/comments1.xml'],
        ['drawing', 'xl/drawings/drawing1.xml'],
      ],
    },
    {
      name: 'xl/comments1.xml',
      body: '<c><authors><author>Ada</author></authors><comment ref="B1" authorId="0"><text><r><t>too\nhigh</t></r></text></comment></c>',
    },
    {
      name: 'xl/drawings/drawing1.xml',
      body: '<xdr:sp><a:p><a:r><a:t>A box</a:t></a:r></a:p></xdr:sp>',
    },
    {
      name: 'xl/worksheets/sheet2.xml',
      body: '<worksheet><sheetData><row><c t="inlineStr"><is><t>hush</t></is></c></row></sheetData></worksheet>',
    },
  ]);
}

const cells = `<row><c r="A1" t="s"><v>0</v></c><c r="C1" s="1"><f>A2*2</f><v>1234.5</v></c></row>
  <row><c r="A2"/></row>
  <row><c t="s"><v>1</v></c><c s="2"><v>45351</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c><f>NOW()</f></c></row>`;

test('reads every sheet as shown, also hidden ones, and what is attached to it', async () => {
  const header =
    '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Budget&amp;RPage &amp;P</oddHeader></headerFooter>';
  const { pages, metadata, truncated } = await readOffice(workbook(cells, header));
  expect(pages).toEqual([
    'Sums\nTotal\t\t1,234.50\nRich\t02/29/2024\tTRUE\t#REF!\t=NOW()\nBudget Page\nA box\n[comment B1, Ada] too high',
    'Secret [hidden sheet]\nhush\n[name Rate] 0.19',
  ]);
  expect(metadata).toMatchObject({ sheets: ['Sums', 'Secret'] });
  expect(truncated).toBe(false);
});

test('rows above the limit of the workbook are left out, and it says so', async () => {
  const { pages, truncated } = await readOffice(workbook(cells), { maxRows: 1 });
  expect(pages[0]).toContain('Total');
  expect(pages[1]).not.toContain('hush');
  expect(truncated).toBe(true);
});

test('a cell far away does not fill its row with tabs', async () => {
  const { pages } = await readOffice(workbook('<row><c r="XFD1"><v>1</v></c></row>'));
  expect(pages[0]?.length).toBeLessThan(200);
});

test.each([
  ['A1', 1],
  ['AB12', 28],
  ['XFD1', 16_384],
  ['1', undefined],
])('column of %s', (reference, column) => {
  expect(columnOf(reference)).toBe(column);
});

test('formatting codes are no text of a header', () => {
  expect(headerText('&C&"-,Bold"&KFF0000R&&D &D')).toBe('R&D');
});
