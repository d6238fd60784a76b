/**
 * Sets weights too small to matter to zero. Published PP-OCR models hold denormal floats, on which many CPUs compute
 * several times slower. An ONNX file is protobuf: this walks down to its float tensors and changes them in place.
 */
export function flushTinyWeights(model: Buffer): Buffer {
  for (const graph of fields(model, GRAPH)) {
    for (const tensor of fields(graph, INITIALIZER)) flushTensor(tensor);
    for (const node of fields(graph, NODE)) {
      for (const attribute of fields(node, ATTRIBUTE)) {
        for (const tensor of fields(attribute, ATTRIBUTE_TENSOR)) flushTensor(tensor);
      }
    }
  }
  return model;
}

const GRAPH = 7;
const NODE = 1;
const INITIALIZER = 5;
const ATTRIBUTE = 5;
const ATTRIBUTE_TENSOR = 5;
const TENSOR_TYPE = 2;
const TENSOR_FLOATS = 4;
const TENSOR_BYTES = 9;
const FLOAT = 1;
const TINY = 1e-20;

function flushTensor(tensor: Buffer): void {
  for (const { field, value } of walk(tensor)) if (field === TENSOR_TYPE && value !== FLOAT) return;
  for (const floats of [...fields(tensor, TENSOR_FLOATS), ...fields(tensor, TENSOR_BYTES)]) {
    for (let at = 0; at + 4 <= floats.length; at += 4) {
      if (Math.abs(floats.readFloatLE(at)) < TINY) floats.writeUInt32LE(0, at);
    }
  }
}

function* fields(message: Buffer, wanted: number): Generator<Buffer> {
  for (const { field, bytes } of walk(message)) if (field === wanted && bytes) yield bytes;
}

interface Entry {
  field: number;
  value?: number;
  bytes?: Buffer;
}

function* walk(message: Buffer): Generator<Entry> {
  let at = 0;
  const varint = () => {
    let result = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at);
      at += 1;
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
  };
  while (at < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    const kind = key % 8;
    if (kind === 0) {
      yield { field, value: varint() };
      continue;
    }
    const length = kind === 1 ? 8 : kind === 5 ? 4 : varint();
    yield { field, bytes: message.subarray(at, at + length) };
    at += length;
  }
}
