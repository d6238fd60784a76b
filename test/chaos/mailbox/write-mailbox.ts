import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Every so many messages have an attachment. */
const attachedEvery = 100;

export const attachmentsIn = (messages: number): number => Math.floor(messages / attachedEvery);

export const subjectOf = (number: number): string => `Report ${number}`;

/** Writes an mbox with this many messages, no two of them alike. */
export async function writeMailbox(path: string, messages: number): Promise<void> {
  const texts = function* () {
    for (let number = 1; number <= messages; number += 1) yield messageOf(number);
  };
  await pipeline(Readable.from(texts()), createWriteStream(path));
}

function messageOf(number: number): string {
  const body = Array.from(
    { length: 5 + (number % 20) },
    (_, line) => `Line ${line} of report ${number}: all measured values are in the usual range.`,
  ).join('\n');
  const isAttached = number % attachedEvery === 0;
  return [
    'From sender@example.com Sat Jan  3 01:05:34 2026',
    `From: Sender ${number % 50} <sender-${number % 50}@example.com>`,
    'To: archive@example.com',
    `Subject: ${subjectOf(number)}`,
    `Message-ID: <${number}@example.com>`,
    'Date: Sat, 3 Jan 2026 01:05:34 +0000',
    'MIME-Version: 1.0',
    ...(isAttached ? withAttachment(body, number) : ['Content-Type: text/plain', '', body]),
    '',
    '',
  ].join('\n');
}

function withAttachment(body: string, number: number): string[] {
  return [
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    body,
    '--part',
    'Content-Type: text/plain',
    `Content-Disposition: attachment; filename="values-${number}.txt"`,
    '',
    `Values of report ${number}`,
    '--part--',
  ];
}
