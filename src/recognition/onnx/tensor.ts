import { bytesField, bytesOf, numberField, readNumbers, readString } from './protobuf.ts';

export interface Tensor {
  name: string;
  dims: readonly number[];
  data: Float32Array | Int32Array | Int8Array | Uint8Array | undefined;
}

const tensor = { dims: 1, type: 2, floats: 4, name: 8, raw: 9 };
const types = { FLOAT: 1, UINT8: 2, INT8: 3, INT32: 6 };

/** Reads float tensors only; `data` of other types is undefined. */
export function readTensor(bytes: Buffer): Tensor {
  const [type] = readNumbers(bytes, tensor.type);
  const [data] = [...bytesOf(bytes, tensor.raw), ...bytesOf(bytes, tensor.floats)];
  return {
    name: readString(bytes, tensor.name),
    dims: readNumbers(bytes, tensor.dims),
    data: type === types.FLOAT && data ? floatsOf(data) : undefined,
  };
}

/** Copies, since floats in the file may not be aligned to 4 bytes. */
const floatsOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

export const floatsIn = (tensor: Tensor | undefined): Float32Array | undefined =>
  tensor?.data instanceof Float32Array ? tensor.data : undefined;

export function writeTensor({ name, dims, data }: Tensor): Buffer {
  if (!data) throw new Error(`The tensor ${name} has no data`);
  return Buffer.concat([
    ...dims.map((size) => numberField(tensor.dims, size)),
    numberField(tensor.type, typeOf(data)),
    bytesField(tensor.name, name),
    bytesField(tensor.raw, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  ]);
}

function typeOf(data: NonNullable<Tensor['data']>): number {
  if (data instanceof Float32Array) return types.FLOAT;
  if (data instanceof Int32Array) return types.INT32;
  return data instanceof Int8Array ? types.INT8 : types.UINT8;
}
