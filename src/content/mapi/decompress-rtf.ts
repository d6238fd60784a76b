const compressed = 0x75465a4c;
const uncompressed = 0x414c454d;
const headerBytes = 16;
const windowBytes = 4096;
/** A token of two bytes stands for at most 17. */
const maxBytes = 2 ** 27;

/** What the window is filled with at the start (MS-OXRTFCP). */
const dictionary = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern ' +
    '\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0' +
    '\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);

/** Decompresses the RTF body of a message. A damaged end is left out. */
export function decompressRtf(bytes: Buffer): Buffer {
  if (bytes.length < headerBytes) return Buffer.alloc(0);
  const kind = bytes.readUInt32LE(8);
  const size = Math.min(bytes.readUInt32LE(4), maxBytes);
  if (kind === uncompressed) return bytes.subarray(headerBytes, headerBytes + size);
  return kind === compressed ? inflate(bytes.subarray(headerBytes), size) : Buffer.alloc(0);
}

function inflate(source: Buffer, size: number): Buffer {
  const window = Buffer.alloc(windowBytes);
  dictionary.copy(window);
  const made = Buffer.alloc(Math.min(size, source.length * 17));
  let [at, write, length] = [0, dictionary.length, 0];
  const put = (byte: number) => {
    window[write] = byte;
    write = (write + 1) % windowBytes;
    if (length < made.length) made[length] = byte;
    length += 1;
  };
  while (at < source.length && length < made.length) {
    const control = source[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < source.length; bit += 1) {
      if (((control >> bit) & 1) === 0) {
        put(source[at] ?? 0);
        at += 1;
        continue;
      }
      if (at + 2 > source.length) return made.subarray(0, length);
      const token = source.readUInt16BE(at);
      at += 2;
      const offset = token >> 4;
      // A reference to the place that is written next marks the end.
      if (offset === write) return made.subarray(0, Math.min(length, made.length));
      for (let i = 0; i < (token & 15) + 2; i += 1) put(window[(offset + i) % windowBytes] ?? 0);
    }
  }
  return made.subarray(0, Math.min(length, made.length));
}
