import { type NewNode, writeNode } from '../../src/recognition/onnx/model.ts';
import { bytesField, numberField } from '../../src/recognition/onnx/protobuf.ts';
import { type Tensor, writeTensor } from '../../src/recognition/onnx/tensor.ts';

/**
 * Input and output channels. If both are equal and the kernel is larger than 1, it is a depthwise
 * convolution.
 */
export interface Conv {
  from: number;
  to: number;
  kernel: number;
  strides?: readonly number[];
}

interface Options {
  activation?: string;
  outputs?: readonly string[];
}

/**
 * An ONNX model of convolutions, each with normalisation and activation: x → layer0, layer1 … → y.
 */
export function tinyModel(
  convs: readonly Conv[],
  { activation = 'HardSwish', outputs = ['y'] }: Options = {},
): Buffer {
  const nameOf = (i: number) => (i < 0 ? 'x' : i === convs.length - 1 ? 'y' : `layer${i}`);
  const layers = convs.map((conv, i) =>
    layer(conv, { input: nameOf(i - 1), output: nameOf(i), activation }),
  );
  return modelOf({
    nodes: layers.flatMap(({ nodes }) => nodes),
    tensors: layers.flatMap(({ tensors }) => tensors),
    outputs,
  });
}

interface Parts {
  nodes: readonly NewNode[];
  tensors: readonly Tensor[];
  outputs?: readonly string[];
}

/** An ONNX model with the input x. */
export function modelOf({ nodes, tensors, outputs = ['y'] }: Parts): Buffer {
  const graph = [
    ...nodes.map((node) => bytesField(1, writeNode(node))),
    bytesField(2, 'tiny'),
    ...tensors.map((tensor) => bytesField(5, writeTensor(tensor))),
    bytesField(11, floats('x')),
    ...outputs.map((name) => bytesField(12, floats(name))),
  ];
  return Buffer.concat([
    numberField(1, 8),
    bytesField(8, numberField(2, 14)),
    bytesField(7, Buffer.concat(graph)),
  ]);
}

/** A float tensor of any shape. */
const floats = (name: string): Buffer =>
  Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, numberField(1, 1)))]);

function layer(
  { from, to, kernel, strides = [1, 1] }: Conv,
  names: { input: string; output: string; activation: string },
) {
  const { input, output, activation } = names;
  const isEach = kernel > 1 && from === to;
  const dims = [to, isEach ? 1 : from, kernel, kernel];
  const pad = (kernel - 1) / 2;
  const attributes = {
    kernel_shape: [kernel, kernel],
    strides,
    pads: [pad, pad, pad, pad],
    group: isEach ? to : 1,
  };
  const normal = normalisation(output, to);
  const tensors = [
    wave(`${output}-weights`, dims, 2 / Math.sqrt((dims[1] ?? 1) * kernel * kernel)),
    ...normal.tensors,
  ];
  const nodes = [
    { op: 'Conv', inputs: [input, `${output}-weights`], output: `${output}-conv`, attributes },
    {
      op: 'BatchNormalization',
      inputs: [`${output}-conv`, ...normal.names],
      output: `${output}-sum`,
    },
    { op: activation, inputs: [`${output}-sum`], output },
  ];
  return { nodes, tensors };
}

/** The additional inputs of a normalisation for this many channels. */
export function normalisation(
  of: string,
  channels: number,
): { names: string[]; tensors: Tensor[] } {
  const tensors = [
    wave(`${of}-gain`, [channels], 0.4, 1.2),
    wave(`${of}-shift`, [channels], 0.5),
    wave(`${of}-mean`, [channels], 0.3),
    wave(`${of}-variance`, [channels], 0.2, 0.5),
  ];
  return { names: tensors.map(({ name }) => name), tensors };
}

/** Pseudo-random numbers that are the same in every run. */
export function wave(name: string, dims: readonly number[], height: number, middle = 0): Tensor {
  const length = dims.reduce((product, size) => product * size, 1);
  const phase = name.length;
  return {
    name,
    dims,
    data: Float32Array.from({ length }, (_, i) => middle + height * Math.sin(phase + i * (i + 3))),
  };
}
