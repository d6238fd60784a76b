import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { parseHeader } from '../mail/header.ts';
import { openOutlook } from './open.ts';
import { readPeople } from './people.ts';
import { ids } from './property-ids.ts';

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
    importance: importances[properties.number(ids.importance) ?? -1],
    conversation: properties.text(ids.conversationTopic),
    raw: {
      'message-class': properties.text(ids.messageClass),
      ...Object.fromEntries(header.map(({ name, value }) => [name, value])),
    },
  });
}
