import { done } from '../../src/engine/pipeline/outcome.ts';
import { definePipeline, end, step } from '../../src/engine/pipeline/pipeline.ts';
import { defineStage } from '../../src/engine/pipeline/stage.ts';
import { deliver } from '../../src/workers/deliver.ts';
import { finalize } from '../../src/workers/finalize.ts';

const claim = defineStage({ run: async () => done('claimed') });

/** A pipeline that goes straight from a document to its deliveries. */
export const deliveringPipeline = definePipeline({
  claim: step(claim, { claimed: 'finalize' }),
  finalize: step(finalize, { finalized: ['deliver'] }),
  deliver: step(deliver, { delivered: end, cancelled: end }),
});
