import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { parseHeader } from '../mail/header.ts';
import { openOutlook } from './open.ts';
import { readPeople } from './people.ts';
import { ids, named } from './property-ids.ts';

const importances = ['low', 'normal', 'high'];

export async function readOutlookMetadata(input: ContentFile): Promise<Metadata> {
  const message = await openOutlook(input);
  const { properties } = message;
  const header = parseHeader(properties.text(ids.transportHeaders) ?? '');
  const fieldOf = (wanted: string) => header.find(({ name }) => name === wanted)?.value;
  const text = (id: number, field: string) => properties.text(id) || fieldOf(field);
  return toMetadata({
    ...readPeople(message),
    subject: properties.text(ids.subject),
    sent: properties.time(ids.submitTime),
    received: properties.time(ids.deliveryTime),
    created: properties.time(ids.created),
    modified: properties.time(ids.modified),
    messageId: text(ids.messageId, 'message-id'),
    inReplyTo: text(ids.inReplyTo, 'in-reply-to'),
    references: text(ids.references, 'references')?.split(/\s+/),
    starts: properties.time(named(0x820d)),
    ends: properties.time(named(0x820e)),
    location: properties.text(named(0x8208)),
    emails: [0x8083, 0x8093, 0x80a3].flatMap((id) => properties.text(named(id)) ?? []),
    importance: importances[properties.number(ids.importance) ?? -1],
    conversation: properties.text(ids.conversationTopic),
    raw: {
      'message-class': properties.text(ids.messageClass),
      ...Object.fromEntries(header.map(({ name, value }) => [name, value])),
    },
  });
}
