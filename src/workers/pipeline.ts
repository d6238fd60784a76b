import { definePipeline, end, step } from '../engine/pipeline/pipeline.ts';
import { claim } from './claim.ts';
import { deliver } from './deliver.ts';
import { extract } from './extract.ts';
import { finalize } from './finalize.ts';
import { preprocess } from './preprocess.ts';
import { transcribe } from './transcribe.ts';
import { unpack } from './unpack.ts';

/** The flow: stage → outcome → next stage. Queues, workers, metrics and board derive from it. */
// biome-ignore format: read it as a table
export const pipeline = definePipeline({
  claim:      step(claim,      { single: 'transcribe', container: 'unpack', part: end }),
  unpack:     step(unpack,     { unpacked: end, family: 'transcribe' }),
  transcribe: step(transcribe, { readable: 'extract', illegible: 'preprocess' }),
  preprocess: step(preprocess, { cleaned: 'transcribe', skipped: 'extract' }),
  extract:    step(extract,    { extracted: 'finalize', doubtful: 'finalize' }),
  finalize:   step(finalize,   { finalized: ['deliver'] }),
  deliver:    step(deliver,    { delivered: end, cancelled: end }),
});

export type StageName = keyof typeof pipeline;
