import { PermanentError } from '../../errors.ts';
import type { MapiAttachment, MapiMessage } from './message.ts';
import { MapiProperties, type MapiValue, types } from './properties.ts';
import { ids } from './property-ids.ts';
import { parseMapiRows, parseMapiValues } from './tnef-values.ts';

const magic = 0x223e9f78;
/** Attributes (MS-OXTNEF), by the lower half of their id. */
const attributes = {
  subject: 0x8004,
  messageId: 0x8009,
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachStart: 0x9002,
  properties: 0x9003,
  recipients: 0x9004,
  attachProperties: 0x9005,
  codePage: 0x9007,
};

interface Found {
  codePage: number;
  message: Map<number, MapiValue>;
  recipients: Map<number, MapiValue>[];
  attachments: { values: Map<number, MapiValue>; data?: Buffer }[];
}

/** Parses a message that Exchange wrapped (MS-OXTNEF). A damaged end is left out. */
export function parseTnef(bytes: Buffer): MapiMessage {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== magic)
    throw new PermanentError('INVALID_FILE', 'The file does not begin like TNEF');
  const found: Found = { codePage: 1252, message: new Map(), recipients: [], attachments: [] };
  for (let at = 6; at + 9 <= bytes.length; ) {
    const id = bytes.readUInt32LE(at + 1) & 0xffff;
    const end = at + 9 + bytes.readUInt32LE(at + 5);
    takeAttribute(found, id, bytes.subarray(at + 9, end));
    at = end + 2;
  }
  const toProperties = (values: Map<number, MapiValue>) =>
    new MapiProperties(values, found.codePage);
  return {
    properties: toProperties(found.message),
    recipients: found.recipients.map(toProperties),
    attachments: found.attachments.map(({ values, data }) => toAttachment(values, data, found)),
  };
}

function takeAttribute(found: Found, id: number, data: Buffer): void {
  const { message, recipients, attachments } = found;
  const text = (into: Map<number, MapiValue> | undefined, property: number) => {
    // Names in MAPI properties are complete; those in attributes may be shortened to 8.3.
    if (into && !into.has(property)) into.set(property, { type: types.text, bytes: data });
  };
  const attachment = attachments.at(-1);
  const takers: Record<number, () => unknown> = {
    [attributes.codePage]: () => {
      if (data.length >= 4) found.codePage = data.readUInt32LE(0);
    },
    [attributes.subject]: () => text(message, ids.subject),
    [attributes.messageId]: () => text(message, ids.messageId),
    [attributes.body]: () => text(message, ids.body),
    [attributes.properties]: () => addAll(message, parseMapiValues(data)),
    [attributes.recipients]: () => recipients.push(...parseMapiRows(data)),
    [attributes.attachStart]: () => attachments.push({ values: new Map() }),
    [attributes.attachTitle]: () => text(attachment?.values, ids.attachShortName),
    [attributes.attachProperties]: () => addAll(attachment?.values, parseMapiValues(data)),
    [attributes.attachData]: () => {
      if (attachment) attachment.data = data;
    },
  };
  takers[id]?.();
}

function addAll(into: Map<number, MapiValue> | undefined, more: Map<number, MapiValue>): void {
  for (const [id, value] of more) into?.set(id, value);
}

const guidBytes = 16;

function toAttachment(
  values: Map<number, MapiValue>,
  data: Buffer | undefined,
  { codePage }: Found,
): MapiAttachment {
  const properties = new MapiProperties(values, codePage);
  const stored = values.get(ids.attachData);
  // An object begins with the id of its interface: a message is TNEF again, others are OLE.
  if (stored?.type === types.object) {
    const bytes = stored.bytes.subarray(guidBytes);
    const isMessage = bytes.length > 4 && bytes.readUInt32LE(0) === magic;
    return { properties, content: () => ({ bytes, extension: isMessage ? '.tnef' : '.ole' }) };
  }
  const bytes = data ?? stored?.bytes;
  return { properties, content: () => bytes && { bytes, extension: '' } };
}
