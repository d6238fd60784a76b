/** A protobuf field: a varint, or bytes (string, message, packed or fixed-size numbers). */
export interface Field {
  id: number;
  value?: number;
  bytes?: Buffer;
  /** The encoded field, including its key. */
  raw: Buffer;
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

export function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    const [value, next] = readVarint(message, at);
    at = next;
    return value;
  };
  while (at < message.length) {
    const start = at;
    const key = varint();
    const [id, kind] = [Math.floor(key / 8), key % 8];
    if (kind === VARINT) {
      const value = varint();
      yield { id, value, raw: message.subarray(start, at) };
      continue;
    }
    const length = kind === FIXED_64 ? 8 : kind === FIXED_32 ? 4 : varint();
    const from = at;
    at += length;
    yield { id, bytes: message.subarray(from, at), raw: message.subarray(start, at) };
  }
}

export function* bytesOf(message: Buffer, wanted: number): Generator<Buffer> {
  for (const { id, bytes } of fieldsOf(message)) if (id === wanted && bytes) yield bytes;
}

/** Reads a repeated number field, packed or not. */
export function readNumbers(message: Buffer, wanted: number): number[] {
  const numbers: number[] = [];
  for (const { id, value, bytes } of fieldsOf(message)) {
    if (id !== wanted) continue;
    if (value !== undefined) numbers.push(value);
    for (let at = 0; bytes && at < bytes.length; ) {
      const [packed, next] = readVarint(bytes, at);
      numbers.push(packed);
      at = next;
    }
  }
  return numbers;
}

export const readString = (message: Buffer, wanted: number): string =>
  readStrings(message, wanted)[0] ?? '';
export const readStrings = (message: Buffer, wanted: number): string[] =>
  [...bytesOf(message, wanted)].map((bytes) => bytes.toString());

export const numberField = (id: number, value: number): Buffer =>
  Buffer.concat([varint(id * 8 + VARINT), varint(value)]);

export function bytesField(id: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(id * 8 + BYTES), varint(bytes.length), bytes]);
}

function readVarint(message: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from, factor = 1; ; at += 1, factor *= 128) {
    const byte = message.readUInt8(at);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, at + 1];
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
