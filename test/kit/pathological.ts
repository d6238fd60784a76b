import {
  ciiInvoice,
  oneLine,
  oneWord,
  prose,
  smallTags,
  textInvoice,
  ublInvoice,
} from './long-documents.ts';

export interface NamedFile {
  name: string;
  text: string | Uint8Array<ArrayBuffer>;
}

/**
 * Files that once blocked a process for seconds or minutes.
 *
 * @param share 1 for the full sizes, less for a quick run.
 */
export function pathologicalFiles(share = 1): NamedFile[] {
  const times = (full: number) => Math.max(20, Math.round(full * share));
  return [
    { name: 'ubl-500-lines.xml', text: ublInvoice(times(500)) },
    { name: 'cii-1500-lines.xml', text: ciiInvoice(times(1_500)) },
    { name: 'ubl-4000-lines.xml', text: ublInvoice(times(4_000)) },
    { name: 'invoice-4000-lines.txt', text: textInvoice(times(4_000)) },
    { name: 'small-tags.xml', text: smallTags(times(9_000_000)) },
    {
      name: 'brackets.xml',
      text: `<?xml version="1.0"?>\n<Invoice>${'<'.repeat(times(9_000_000))}`,
    },
    { name: 'one-line.txt', text: oneLine(times(220_000)) },
    { name: 'one-word.txt', text: oneWord(times(220_000)) },
    { name: 'prose.txt', text: prose(times(10_000_000)) },
    { name: 'cells.html', text: `<html><table>${'<tr><td>1'.repeat(times(900_000))}` },
    {
      name: 'message.eml',
      text: [
        'From: a@example.com',
        'To: b@example.com',
        'Subject: numbers',
        'Date: Thu, 05 Mar 2026 10:00:00 +0000',
        'MIME-Version: 1.0',
        'Content-Type: text/html; charset=utf-8',
        '',
        `<p>${'<b>1</b> '.repeat(times(600_000))}</p>`,
      ].join('\r\n'),
    },
  ];
}
