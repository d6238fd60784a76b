import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SevenZipModule } from '7z-wasm';
import type { Extracted } from './protocol.ts';

/** The part of Emscripten's in-memory file system that is replaced here. */
interface Node {
  node_ops: { setattr(node: Node, attributes: { size?: number }): void };
  stream_ops: {
    open?(stream: Stream): void;
    write(stream: Stream, from: Uint8Array, at: number, bytes: number, position: number): number;
    close?(stream: Stream): void;
  };
  usedBytes: number;
}
interface Stream {
  node: Node;
  /** Flags of open(2); the lowest two bits are zero for reading. */
  flags: number;
  output?: Output;
}
interface Output {
  file: string;
  fd: number;
}

export interface SinkOptions {
  directory: string;
  /** More of a file is discarded. */
  maxFileBytes: number;
  /** Ends the run: decoding what is discarded takes time, too. */
  maxBytes: number;
  onFile(file: Extracted): void;
}

const root = '/out';

/**
 * Lets 7-Zip write into files named by a counter. It sees an in-memory file system with the folders
 * and names of the archive; the bytes go to disk, and names never become names of files.
 */
export function attachSink({ FS }: SevenZipModule, options: SinkOptions): string {
  const { directory, maxFileBytes, maxBytes, onFile } = options;
  // Folders of an archive may forbid to write into them.
  Object.assign(FS, { ignorePermissions: true });
  FS.mkdir(root);
  FS.writeFile(`${root}/probe`, '');
  const node = FS.lookupPath(`${root}/probe`).node as unknown as Node;
  FS.unlink(`${root}/probe`);
  let files = 0;
  let total = 0;
  // All files of the in-memory file system share these two tables.
  node.node_ops.setattr = (changed, { size }) => {
    if (size !== undefined) changed.usedBytes = size;
  };
  Object.assign(node.stream_ops, {
    open(stream) {
      if ((stream.flags & 3) === 0) return;
      const file = join(directory, `out-${files++}`);
      stream.node.usedBytes = 0;
      stream.output = { file, fd: openSync(file, 'wx') };
    },
    write({ node: written, output }, from, at, bytes, position) {
      if (!output) return bytes;
      total += bytes;
      if (total > maxBytes) throw new Error('The archive expands to more than is allowed');
      const room = Math.max(0, Math.min(bytes, maxFileBytes - position));
      for (let done = 0; done < room; )
        done += writeSync(output.fd, from, at + done, room - done, position + done);
      written.usedBytes = Math.max(written.usedBytes, position + bytes);
      return bytes;
    },
    close({ node: closed, output }) {
      if (!output) return;
      const { usedBytes: bytes } = closed;
      if (bytes <= maxFileBytes) ftruncateSync(output.fd, bytes);
      closeSync(output.fd);
      const path = FS.getPath(closed as never).slice(root.length + 1);
      onFile({ path, file: output.file, bytes });
    },
  } satisfies Node['stream_ops']);
  return root;
}
