import { z } from 'zod';
import { keys } from '../lib/keys.ts';
import { printable } from '../lib/printable.ts';

const maxCharacters = 2000;
const maxValues = 1000;
const maxRawEntries = 200;
const maxRawCharacters = 64 * 1024;

const text = z.string().min(1);
const texts = z.array(text).min(1);
const count = z.int().nonnegative();
/** ISO 8601. Without a zone it is the local time of whoever wrote the file. */
const date = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** One vocabulary for all formats. A file has the fields that its format and author provide. */
const fields = {
  title: text,
  author: text,
  lastSavedBy: text,
  company: text,
  subject: text,
  keywords: text,
  comments: text,
  created: date,
  modified: date,
  printed: date,
  revision: text,
  template: text,
  application: text,
  language: text,
  pages: count,
  /** Names of the sheets, in order. */
  sheets: texts,
  slides: count,
  words: count,

  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  sent: date,
  received: date,
  messageId: text,
  inReplyTo: text,
  references: texts,
  importance: text,
  conversation: text,

  /** Of an appointment. */
  starts: date,
  ends: date,
  location: text,
  /** Of contacts. */
  emails: texts,
  phones: texts,

  taken: date,
  camera: text,
  /** Latitude and longitude in degrees. */
  gps: z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]),
  width: count,
  height: count,

  durationSeconds: z.number().nonnegative(),
  codec: text,
  sampleRate: count,

  producer: text,
  /** The file has at least one digital signature. Signatures are not verified. */
  signed: z.boolean(),
  /** The file has a form to fill in. */
  form: z.boolean(),

  /** The first volume of the split archive that the file is a part of. */
  partOf: text,
};

/** What a file says about itself. `raw` keeps names and values as they are in the file. */
export const metadata = z.object({ ...fields, raw: z.record(z.string(), z.string()) }).partial();
export type Metadata = z.infer<typeof metadata>;

type Field = keyof typeof fields;
/** Values as found in a file: any of them may be absent, empty or wrong. */
export type FoundMetadata = { [Name in Field]?: Metadata[Name] | null | undefined } & {
  raw?: Readonly<Record<string, string | undefined>>;
};

/** Cleans up what was found: drops empty and impossible values, and caps the length of all. */
export function toMetadata(found: FoundMetadata): Metadata {
  const known = keys(fields).flatMap((name) => {
    const { success, data } = fields[name].safeParse(tidy(found[name]));
    return success ? [[name, data]] : [];
  });
  const raw = capRaw(found.raw ?? {});
  return metadata.parse({
    ...Object.fromEntries(known),
    ...(Object.keys(raw).length > 0 && { raw }),
  });
}

function tidy(value: unknown): unknown {
  if (typeof value === 'string') return tidyText(value);
  if (!Array.isArray(value)) return value;
  return value
    .slice(0, maxValues)
    .map(tidy)
    .filter((item) => item !== '');
}

function tidyText(value: string): string {
  return printable(value).trim().slice(0, maxCharacters);
}

function capRaw(raw: Readonly<Record<string, string | undefined>>): Record<string, string> {
  let left = maxRawCharacters;
  const kept = Object.entries(raw).flatMap(([name, value]) => {
    const entry = [tidyText(name), tidyText(value ?? '')] as const;
    left -= entry[0].length + entry[1].length;
    return entry[1] === '' || left < 0 ? [] : [entry];
  });
  return Object.fromEntries(kept.slice(0, maxRawEntries));
}
