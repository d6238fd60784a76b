import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';

test('reads a calendar', async () => {
  const ics = [
    'BEGIN:VCALENDAR\r\nPRODID:-//Acme\r\nBEGIN:VTIMEZONE\r\nTZID:Berlin\r\nDTSTART:19700101T000000',
    'END:VTIMEZONE\r\nBEGIN:VEVENT\r\nDTSTART;TZID="Berlin:1":20260501T120000\r\nSUMMARY:Lun',
    ' ch\\, at noon\r\nORGANIZER;CN=Ann:mailto:ann@example.com\r\nCREATED:20260430T080000Z',
    'END:VEVENT\r\nEND:VCALENDAR\r\n',
  ].join('\r\n');
  const { mediaType, pages, metadata } = await readOffice(Buffer.from(ics));
  expect(mediaType).toBe('text/calendar');
  expect(pages).toEqual([
    'DTSTART: 2026-05-01T12:00:00\nSUMMARY: Lunch, at noon\nORGANIZER: ann@example.com\nCREATED: 2026-04-30T08:00:00Z\n',
  ]);
  expect(metadata).toMatchObject({
    title: 'Lunch, at noon',
    from: 'ann@example.com',
    starts: '2026-05-01T12:00:00',
    created: '2026-04-30T08:00:00Z',
  });
});

test('reads contacts of any version', async () => {
  const old = [
    'BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg=',
    '=20M\r\nitem1.TEL;WORK;VOICE:123\r\nADR;HOME:;;Road 1;Town;;1000;\r\nPHOTO;BASE64:AAAA\r\nEND:VCARD\r\n',
  ].join('\r\n');
  const recent = 'BEGIN:VCARD\nVERSION:4.0\nFN:Bob\nEMAIL:bob@example.com\nEND:VCARD\n';
  const { mediaType, pages, metadata } = await readOffice(Buffer.from(old + recent));
  expect(metadata).toMatchObject({ emails: ['bob@example.com'], phones: ['123'] });
  expect(mediaType).toBe('text/vcard');
  expect(pages).toEqual([
    'FN: Jörg M\nTEL: 123\nADR: Road 1, Town, 1000\n\nFN: Bob\nEMAIL: bob@example.com\n',
  ]);
});
