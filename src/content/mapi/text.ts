import { capText } from '../../domain/transcription.ts';
import type { TextInput, TextOutput } from '../format.ts';
import { headingOf, readBody } from '../mail/body.ts';
import { messagePictures } from '../mail/pictures.ts';
import { readMapiBody } from './body.ts';
import { itemLines } from './item-lines.ts';
import { openOutlook } from './open.ts';
import { readPeople } from './people.ts';
import { ids } from './property-ids.ts';

/** Reads a message as one page: the usual header lines, then its text. */
export async function readOutlookText(input: TextInput): Promise<TextOutput> {
  const message = await openOutlook(input);
  const { properties } = message;
  const { from, to, cc } = readPeople(message);
  const heading = headingOf({
    From: from ?? '',
    To: to.join(', '),
    Cc: cc.join(', '),
    Date: properties.time(ids.submitTime) ?? properties.time(ids.deliveryTime) ?? '',
    Subject: properties.text(ids.subject) ?? '',
  });
  const shown = message.attachments.map((attachment) => ({
    contentId: attachment.properties.text(ids.attachContentId),
    read: () => attachment.content()?.bytes,
  }));
  const markPicture = messagePictures(input.pictures, shown);
  const body = readBody(readMapiBody(properties, input.maxText), markPicture);
  const lines = itemLines(properties, properties.text(ids.messageClass) ?? '');
  const sections = [heading, lines, body].filter(Boolean);
  const text = `${sections.join('\n\n')}\n`;
  return capText([{ number: 1, width: 0, height: 0, text, words: [] }], input.maxText);
}
