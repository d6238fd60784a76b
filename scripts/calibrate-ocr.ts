import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { recogniserFile } from '../src/sandbox/ocr/models.ts';
import { fingerprint } from '../src/sandbox/ocr/prepare.ts';
import { flushTinyWeights } from '../src/sandbox/ocr/weights.ts';
import { sampleLines } from './calibration/lines.ts';
import { observe } from './calibration/observe.ts';

/** `npx tsx scripts/calibrate-ocr.ts`: measures on the samples what the layers of the recogniser hold. */
const file = await readFile(recogniserFile('latin'));
const name = fingerprint(file);
const model = flushTinyWeights(file);
const ranges = await observe(model, await sampleLines());
const target = fileURLToPath(new URL('../src/sandbox/ocr/integer-ranges.ts', import.meta.url));
await writeFile(
  target,
  `import type { Ranges } from '../onnx/integer-chain.ts';

/** By the SHA-256 of a model's file. Written by \`npx tsx scripts/calibrate-ocr.ts\`, not by hand. */
export const integerRanges: Readonly<Record<string, Ranges>> = ${JSON.stringify({ [name]: ranges })};
`,
);
execFileSync('npx', ['biome', 'check', '--write', target], { stdio: 'inherit' });
