import type { MapiProperties } from './properties.ts';

/** A message in Outlook's model, wherever it was stored. */
export interface MapiMessage {
  properties: MapiProperties;
  recipients: MapiProperties[];
  attachments: MapiAttachment[];
}

export interface MapiAttachment {
  properties: MapiProperties;
  /** Undefined if the attachment is only a link to a file. Attached messages are written anew. */
  content(): AttachedFile | undefined;
}

export interface AttachedFile {
  bytes: Buffer;
  extension: string;
}
