import { inOneLine } from '../mail/body.ts';
import type { MapiProperties } from './properties.ts';
import { named } from './property-ids.ts';

/** What appointments, tasks and contacts have besides a subject and a body. */
const fields: readonly (readonly [title: string, id: number])[] = [
  ['Start', named(0x820d)],
  ['End', named(0x820e)],
  ['Location', named(0x8208)],
  ['Recurrence', named(0x8232)],
  ['Due', named(0x8105)],
  ['Name', 0x3001],
  ['Company', 0x3a16],
  ['Job title', 0x3a17],
  ['Department', 0x3a18],
  ['E-mail', named(0x8083)],
  ['E-mail 2', named(0x8093)],
  ['E-mail 3', named(0x80a3)],
  ['Business phone', 0x3a08],
  ['Home phone', 0x3a09],
  ['Mobile phone', 0x3a1c],
  ['Fax', 0x3a24],
  ['Business address', named(0x801b)],
  ['Home address', named(0x801a)],
  ['Postal address', 0x3a15],
  ['Web page', 0x3a51],
  ['Birthday', 0x3a42],
];

/** Lines such as `Location: Room 4`; none for mail. */
export function itemLines(properties: MapiProperties, messageClass: string): string {
  if (!/^IPM\.(Appointment|Schedule|Contact|Task)/i.test(messageClass)) return '';
  const lines = fields.flatMap(([title, id]) => {
    const value = properties.text(id) ?? properties.time(id) ?? '';
    return value.trim() === '' ? [] : `${title}: ${inOneLine(value)}`;
  });
  return lines.join('\n');
}
