export interface MailPart {
  type: string;
  body?: string | Buffer;
  name?: string;
  /** Additional header fields. */
  fields?: string[];
}

/** A message with these parts, each in base64. */
export function mailOf(parts: readonly MailPart[], fields: readonly string[] = heading): string {
  const border = 'next-part';
  const written = parts.map(({ type, body = '', name, fields: more = [] }) =>
    [
      `--${border}`,
      `Content-Type: ${type}`,
      ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
      'Content-Transfer-Encoding: base64',
      ...more,
      '',
      Buffer.from(body).toString('base64'),
    ].join('\r\n'),
  );
  const header = [
    ...fields,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary=${border}`,
  ];
  return [...header, '', ...written, `--${border}--`, ''].join('\r\n');
}

/** A message with parts nested to this many levels. */
export function nestedMail(levels: number): string {
  const parts = Array.from(
    { length: levels },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  );
  return `From: a@example.com\n${parts.join('')}\n`;
}

const heading = [
  'From: Ann <ann@example.com>',
  'To: Bob <bob@example.com>',
  'Date: Fri, 1 May 2026 23:30:00 -0600',
  'Subject: Order',
];

/** A mailbox with these messages. */
export function mboxOf(messages: readonly string[]): string {
  return messages
    .map(
      (message) =>
        `From ann@example.com Fri May  1 23:30:00 2026\n${message.replace(/^(>*From )/gm, '>$1')}\n\n`,
    )
    .join('');
}
