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

/** Property ids (MS-OXPROPS) that are read. */
export const ids = {
  importance: 0x0017,
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representingName: 0x0042,
  startDate: 0x0060,
  endDate: 0x0061,
  representingEmail: 0x0065,
  conversationTopic: 0x0070,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderEmail: 0x0c1f,
  displayBcc: 0x0e02,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  references: 0x1039,
  inReplyTo: 0x1042,
  displayName: 0x3001,
  email: 0x3003,
  created: 0x3007,
  modified: 0x3008,
  attachData: 0x3701,
  attachShortName: 0x3704,
  attachMethod: 0x3705,
  attachLongName: 0x3707,
  attachPath: 0x370d,
  attachMimeType: 0x370e,
  attachContentId: 0x3712,
  smtp: 0x39fe,
  internetCodePage: 0x3fde,
  locale: 0x3ff1,
  codePage: 0x3ffd,
  senderSmtp: 0x5d01,
  representingSmtp: 0x5d02,
} as const;

/** Named properties have another id in every file: they are kept under their long id (LID). */
export function named(longId: number): number {
  return 0x10000 + longId;
}
