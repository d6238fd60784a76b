import type { PSTMessage } from '@hiraokahypertools/pst-extractor';
import { addressLine, encodeWord, type Mailbox } from './mime.ts';

const kinds = { 1: 'to', 2: 'cc', 3: 'bcc' } as const;

/** The recipients with their addresses; if their table is damaged, the names on the message. */
export async function recipientsOf(
  message: PSTMessage,
): Promise<Record<'to' | 'cc' | 'bcc', string>> {
  const lists: Record<'to' | 'cc' | 'bcc', Mailbox[]> = { to: [], cc: [], bcc: [] };
  for (const recipient of await message.getRecipients().catch(() => [])) {
    const kind = kinds[recipient.recipientType as keyof typeof kinds] ?? 'to';
    const address = recipient.smtpAddress || recipient.emailAddress;
    lists[kind].push({
      name: recipient.displayName,
      address: address.includes('@') ? address : '',
    });
  }
  return {
    to: addressLine(lists.to) || encodeWord(message.displayTo),
    cc: addressLine(lists.cc) || encodeWord(message.displayCC),
    bcc: addressLine(lists.bcc) || encodeWord(message.displayBCC),
  };
}
