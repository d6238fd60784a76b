import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { detectorFile, recogniserFile } from '../src/recognition/models.ts';
import type { Ranges } from '../src/recognition/onnx/integer-chain.ts';
import { fingerprint } from '../src/recognition/prepare.ts';
import { flushTinyWeights } from '../src/recognition/weights.ts';
import { sampleLines, samplePages } from './calibration/inputs.ts';
import { observe } from './calibration/observe.ts';
import { tensorsOfChains, tensorsOfDenseLayers } from './calibration/observed.ts';

/** Measures the value ranges of the detector's and the recogniser's layers on the samples. */
const models = [
  { file: detectorFile(), tensors: tensorsOfDenseLayers, inputs: samplePages },
  { file: recogniserFile('latin'), tensors: tensorsOfChains, inputs: sampleLines },
];
const ranges: Record<string, Ranges> = {};
for (const { file, tensors, inputs } of models) {
  const bytes = await readFile(file);
  const name = fingerprint(bytes);
  const model = flushTinyWeights(bytes);
  ranges[name] = await observe(model, tensors(model), inputs());
}
const target = fileURLToPath(new URL('../src/recognition/integer-ranges.ts', import.meta.url));
await writeFile(
  target,
  `import type { Ranges } from './onnx/integer-chain.ts';

/** By the SHA-256 of a model's file. Written by \`npx tsx scripts/calibrate-ocr.ts\`, not by hand. */
export const integerRanges: Readonly<Record<string, Ranges>> = ${JSON.stringify(ranges)};
`,
);
execFileSync('npx', ['biome', 'check', '--write', target], { stdio: 'inherit' });
