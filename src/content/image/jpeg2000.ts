import type open from '@cornerstonejs/codec-openjpeg/decodewasmjs';
import { PermanentError } from '../../errors.ts';

type Engine = Awaited<ReturnType<typeof open>>;

let loading: Promise<Engine> | undefined;

/** Loads OpenJPEG (WebAssembly) on first use. It prints what it does unless it is told not to. */
function loadEngine() {
  const silent = () => undefined;
  loading ??= import('@cornerstonejs/codec-openjpeg/decodewasmjs').then(({ default: start }) =>
    start({ print: silent, printErr: silent }),
  );
  return loading;
}

export interface Decoded {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

/** Decodes JPEG 2000, with or without the JP2 container. Samples come out with 8 bits. */
export async function decodeJpeg2000(bytes: Buffer, maxPixels: number): Promise<Decoded> {
  checkSize(bytes, maxPixels);
  const { J2KDecoder } = await loadEngine();
  const decoder = new J2KDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
    const { width, height, bitsPerSample, componentCount } = decoder.getFrameInfo();
    const samples = decoder.getDecodedBuffer();
    const data = bitsPerSample > 8 ? toBytes(samples, bitsPerSample) : Uint8Array.from(samples);
    if (!isChannels(componentCount) || data.length < width * height * componentCount)
      throw new PermanentError('INVALID_FILE', 'The image has an unsupported number of channels');
    return { data, width, height, channels: componentCount };
  } finally {
    decoder.delete();
  }
}

/** Start of the codestream and its first segment, which has the size. */
const codestream = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/** The engine has no limit of its own, so the header is read before it is called. */
function checkSize(bytes: Buffer, maxPixels: number): void {
  const at = bytes.indexOf(codestream);
  if (at < 0 || at + 24 > bytes.length)
    throw new PermanentError('INVALID_FILE', 'The image has no JPEG 2000 codestream');
  const [right, bottom, left, top] = [8, 12, 16, 20].map((i) => bytes.readUInt32BE(at + i));
  const [width, height] = [(right ?? 0) - (left ?? 0), (bottom ?? 0) - (top ?? 0)];
  if (width * height > maxPixels)
    throw new PermanentError(
      'IMAGE_TOO_LARGE',
      `The image has ${width} × ${height} pixels; the limit is ${maxPixels}`,
    );
}

function isChannels(count: number): count is Decoded['channels'] {
  return count >= 1 && count <= 4;
}

/** Two bytes per sample, the low one first. */
function toBytes(samples: Uint8Array, bits: number): Uint8Array {
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
  return Uint8Array.from(
    { length: samples.byteLength / 2 },
    (_, i) => view.getUint16(2 * i, true) >> (bits - 8),
  );
}
