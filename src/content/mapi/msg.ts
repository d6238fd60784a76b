import type { AttachedFile, MapiAttachment, MapiMessage } from './message.ts';
import { MapiProperties, type MapiValue, types } from './properties.ts';
import { ids, named } from './property-ids.ts';
import { parseStorage, type Storage, writeStorage } from './storage.ts';

/** Parses an Outlook message file (MS-OXMSG). */
export function parseMsg(bytes: Buffer): MapiMessage {
  const root = parseStorage(bytes);
  const values = readValues(root, headerBytes.message);
  const properties = new MapiProperties(new Map([...values, ...readNamed(values, root)]));
  const { codePage } = properties;
  return {
    properties,
    recipients: storagesOf(root, '__recip_version1.0_').map(
      (recipient) => new MapiProperties(readValues(recipient, headerBytes.part), codePage),
    ),
    attachments: storagesOf(root, '__attach_version1.0_').map((attachment) =>
      readAttachment(attachment, root, codePage),
    ),
  };
}

const propertyStream = '__properties_version1.0';
const namedProperties = '__nameid_version1.0';
/** What precedes the property list: more in a file than in a message inside a message. */
const headerBytes = { message: 32, embedded: 24, part: 8 };
const entryBytes = 16;
const maxInlineBytes = 8;

/** Parts in the order of their numbers, which are hexadecimal. */
function storagesOf({ storages }: Storage, prefix: string): Storage[] {
  return [...storages]
    .filter(([name]) => name.startsWith(prefix))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, storage]) => storage);
}

/** Small values are in the property stream, all others in streams named by type and id. */
function readValues({ streams }: Storage, header: number): Map<number, MapiValue> {
  const values = new Map<number, MapiValue>();
  const list = streams.get(propertyStream) ?? Buffer.alloc(0);
  for (let at = header; at + entryBytes <= list.length; at += entryBytes) {
    const bytes = list.subarray(at + 8, at + 8 + maxInlineBytes);
    const type = list.readUInt16LE(at);
    if (!isStored(type)) values.set(list.readUInt16LE(at + 2), { type, bytes });
  }
  for (const [name, bytes] of streams) {
    const [, id, type] = /^__substg1\.0_([0-9a-f]{4})([0-9a-f]{4})$/i.exec(name) ?? [];
    if (id && type) values.set(Number.parseInt(id, 16), { type: Number.parseInt(type, 16), bytes });
  }
  return values;
}

const firstNamed = 0x8000;

/** Properties with a number as their name. The list of names has eight bytes for each. */
function readNamed(values: ReadonlyMap<number, MapiValue>, root: Storage): [number, MapiValue][] {
  const list = root.storages.get(namedProperties)?.streams.get('__substg1.0_00030102');
  if (!list) return [];
  return Array.from({ length: list.length >> 3 }, (_, i) => 8 * i).flatMap((at) => {
    const isText = (list.readUInt16LE(at + 4) & 1) === 1;
    const value = values.get(firstNamed + list.readUInt16LE(at + 6));
    return isText || !value ? [] : [[named(list.readUInt32LE(at)), value]];
  });
}

function isStored(type: number): boolean {
  return (
    [types.text, types.wideText, types.binary, types.object].some((known) => known === type) ||
    (type & 0x1000) !== 0
  );
}

function readAttachment(storage: Storage, root: Storage, codePage: number): MapiAttachment {
  const properties = new MapiProperties(readValues(storage, headerBytes.part), codePage);
  const bytes = properties.bytes(ids.attachData);
  const object = storage.storages.get('__substg1.0_3701000D');
  if (object) return { properties, content: () => writeObject(object, root) };
  return { properties, content: () => bytes && { bytes, extension: '' } };
}

/** An attached message, or an object of another program, as a file of its own. */
function writeObject(object: Storage, root: Storage): AttachedFile {
  const list = object.streams.get(propertyStream);
  if (!list) return { bytes: writeStorage(object), extension: '.ole' };
  const padding = Buffer.alloc(headerBytes.message - headerBytes.embedded);
  const header = [list.subarray(0, headerBytes.embedded), padding];
  const streams = new Map(object.streams).set(
    propertyStream,
    Buffer.concat([...header, list.subarray(headerBytes.embedded)]),
  );
  const names = root.storages.get(namedProperties);
  const storages = new Map(object.storages);
  if (names) storages.set(namedProperties, names);
  return { bytes: writeStorage({ streams, storages }), extension: '.msg' };
}
