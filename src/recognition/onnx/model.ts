import {
  bytesField,
  bytesOf,
  type Field,
  fieldsOf,
  numberField,
  readNumbers,
  readString,
  readStrings,
} from './protobuf.ts';
import { readTensor, type Tensor, writeTensor } from './tensor.ts';

/** The parts of an ONNX graph that rewriting needs. Everything else is copied unchanged. */
export interface Graph {
  nodes: GraphNode[];
  /** Initializers and the outputs of Constant nodes. */
  constants: ReadonlyMap<string, Tensor>;
  outputs: readonly string[];
}

export type Attributes = Readonly<Record<string, readonly number[]>>;

export interface GraphNode {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: Attributes;
  floats: Readonly<Record<string, number>>;
  bytes: Buffer;
}

export const MICROSOFT = 'com.microsoft';

const model = { graph: 7, opset: 8 };
const graph = { node: 1, initializer: 5, output: 12 };
const node = { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 };
const attribute = { name: 1, float: 2, int: 3, tensor: 5, ints: 8, type: 20 };
const opset = { domain: 1, version: 2 };
const valueInfo = { name: 1, type: 2 };
const FLOAT = 1;
const INT = 2;
const INTS = 7;

export function readGraph(file: Buffer): Graph {
  const [bytes = Buffer.alloc(0)] = bytesOf(file, model.graph);
  const nodes = [...bytesOf(bytes, graph.node)].map(readNode);
  const initializers = [...bytesOf(bytes, graph.initializer)].map(readTensor);
  const constants = nodes.flatMap((one) => constantOf(one));
  return {
    nodes,
    constants: new Map([...initializers, ...constants].map((tensor) => [tensor.name, tensor])),
    outputs: [...bytesOf(bytes, graph.output)].map((output) => readString(output, 1)),
  };
}

function readNode(bytes: Buffer): GraphNode {
  const attributes = [...bytesOf(bytes, node.attribute)].map((one) => ({
    name: readString(one, attribute.name),
    numbers: [...readNumbers(one, attribute.int), ...readNumbers(one, attribute.ints)],
    floats: [...bytesOf(one, attribute.float)].map((float) => float.readFloatLE()),
  }));
  return {
    op: readString(bytes, node.op),
    inputs: readStrings(bytes, node.input),
    outputs: readStrings(bytes, node.output),
    attributes: Object.fromEntries(attributes.map(({ name, numbers }) => [name, numbers])),
    floats: Object.fromEntries(
      attributes.flatMap(({ name, floats }) => floats.map((float) => [name, float])),
    ),
    bytes,
  };
}

function constantOf({ op, outputs: [name = ''], bytes }: GraphNode): Tensor[] {
  if (op !== 'Constant') return [];
  const tensors = [...bytesOf(bytes, node.attribute)].flatMap((one) => [
    ...bytesOf(one, attribute.tensor),
  ]);
  return tensors.map((tensor) => ({ ...readTensor(tensor), name }));
}

export interface NewGraph {
  nodes: readonly Buffer[];
  tensors: readonly Tensor[];
  isUsed(name: string): boolean;
}

/** Replaces all nodes, adds initializers and drops unused ones. */
export function withNodes(file: Buffer, { nodes, tensors, isUsed }: NewGraph): Buffer {
  const isKept = ({ id, bytes }: Field) => {
    if (id !== graph.initializer || !bytes) return id !== graph.node;
    return isUsed(readTensor(bytes).name);
  };
  const changed = withGraph(file, (bytes) => [
    ...nodes.map((one) => bytesField(graph.node, one)),
    ...[...fieldsOf(bytes)].filter(isKept).map(({ raw }) => raw),
    ...tensors.map((tensor) => bytesField(graph.initializer, writeTensor(tensor))),
  ]);
  const ours = Buffer.concat([bytesField(opset.domain, MICROSOFT), numberField(opset.version, 1)]);
  return Buffer.concat([changed, bytesField(model.opset, ours)]);
}

export function withOutputs(file: Buffer, names: readonly string[]): Buffer {
  const floats = bytesField(valueInfo.type, bytesField(1, numberField(1, FLOAT)));
  const outputs = names.map((name) => Buffer.concat([bytesField(valueInfo.name, name), floats]));
  return withGraph(file, (bytes) => [
    bytes,
    ...outputs.map((output) => bytesField(graph.output, output)),
  ]);
}

function withGraph(file: Buffer, change: (graph: Buffer) => Buffer[]): Buffer {
  const parts = [...fieldsOf(file)].map(({ id, bytes, raw }) =>
    id === model.graph && bytes ? bytesField(id, Buffer.concat(change(bytes))) : raw,
  );
  return Buffer.concat(parts);
}

export interface NewNode {
  op: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, number | readonly number[]>>;
  domain?: string;
}

export function writeNode({ op, inputs, output, attributes = {}, domain }: NewNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => bytesField(node.input, name)),
    bytesField(node.output, output),
    bytesField(node.name, output),
    bytesField(node.op, op),
    ...Object.entries(attributes).map(([name, value]) =>
      bytesField(node.attribute, writeAttribute(name, value)),
    ),
    ...(domain ? [bytesField(node.domain, domain)] : []),
  ]);
}

function writeAttribute(name: string, value: number | readonly number[]): Buffer {
  const named = bytesField(attribute.name, name);
  if (typeof value === 'number') {
    return Buffer.concat([
      named,
      numberField(attribute.int, value),
      numberField(attribute.type, INT),
    ]);
  }
  const numbers = value.map((one) => numberField(attribute.ints, one));
  return Buffer.concat([named, ...numbers, numberField(attribute.type, INTS)]);
}
