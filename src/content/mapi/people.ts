import type { MapiMessage } from './message.ts';
import type { MapiProperties } from './properties.ts';
import { ids } from './property-ids.ts';

export interface People {
  from: string | undefined;
  to: string[];
  cc: string[];
  bcc: string[];
}

const recipientTypes = { cc: 2, bcc: 3 };

/** Sender and recipients, each as `Name <address>`. */
export function readPeople({ properties, recipients }: MapiMessage): People {
  const typed = recipients.map((recipient) => ({
    // The upper bits mark recipients who could not be reached, and organisers.
    type: (recipient.number(ids.recipientType) ?? 1) & 0xf,
    text: formatPerson(recipient, ids.displayName, [ids.smtp, ids.email]),
  }));
  const ofType = (wanted: (type: number) => boolean) =>
    typed.flatMap(({ type, text }) => (wanted(type) && text ? [text] : []));
  const { cc, bcc } = recipientTypes;
  const orShown = (found: string[], id: number) =>
    found.length > 0 || typed.length > 0 ? found : splitNames(properties.text(id));
  return {
    from:
      formatPerson(properties, ids.representingName, [
        ids.representingSmtp,
        ids.representingEmail,
      ]) ?? formatPerson(properties, ids.senderName, [ids.senderSmtp, ids.senderEmail]),
    to: orShown(
      ofType((type) => type !== cc && type !== bcc),
      ids.displayTo,
    ),
    cc: orShown(
      ofType((type) => type === cc),
      ids.displayCc,
    ),
    bcc: orShown(
      ofType((type) => type === bcc),
      ids.displayBcc,
    ),
  };
}

function formatPerson(
  properties: MapiProperties,
  nameId: number,
  addressIds: readonly number[],
): string | undefined {
  const name = properties.text(nameId)?.trim() ?? '';
  const addresses = addressIds.flatMap((id) => properties.text(id)?.trim() || []);
  const address = addresses.find((text) => text.includes('@')) ?? addresses[0] ?? '';
  if (name === '' || name === address || name === `'${address}'`) return address || undefined;
  return address === '' || name.endsWith(`<${address}>`) ? name : `${name} <${address}>`;
}

/** The names that a client shows, where there are no recipients. */
function splitNames(text = ''): string[] {
  return text.split(';').flatMap((name) => name.trim() || []);
}
