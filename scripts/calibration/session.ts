import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelInput } from './inputs.ts';

type Outputs = Readonly<Record<string, Float32Array>>;

export async function openSession(model: Buffer): Promise<(line: ModelInput) => Promise<Outputs>> {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1 });
  const [input = ''] = session.inputNames;
  return async ({ data, shape }) => {
    const outputs = await session.run({ [input]: new Tensor('float32', data, shape) });
    const floats = Object.entries(outputs).flatMap(([name, { data: values }]) =>
      values instanceof Float32Array ? [[name, values] as const] : [],
    );
    return Object.fromEntries(floats);
  };
}
