import type { ContainerType, UnpackedEntry } from '../container.ts';
import { unpackZip } from '../archive/zip.ts';
import { unpackMbox } from '../mailbox/mbox.ts';
import { unpackMessage } from '../mail/message.ts';
import type { UnpackInput } from './input.ts';

const unpackers = {
  'application/zip': unpackZip,
  'message/rfc822': unpackMessage,
  'application/mbox': unpackMbox,
} satisfies Record<ContainerType, (input: UnpackInput) => Promise<UnpackedEntry[]>>;

/** Makes files of what is in a container, and says of each entry what became of it. */
export function unpackContainer({
  mediaType,
  ...input
}: UnpackInput & { mediaType: ContainerType }): Promise<UnpackedEntry[]> {
  return unpackers[mediaType](input);
}
