import { done } from '../engine/pipeline/outcome.ts';
import { definePipeline, end, type QueueName, step } from '../engine/pipeline/pipeline.ts';
import { defineStage } from '../engine/pipeline/stage.ts';
import type { pipeline, StageName } from './pipeline.ts';

/** Mistakes in the flow that must not compile: this file compiles only if each is an error. */
const one = defineStage({ run: async () => done('good') });
const two = defineStage({ run: async () => (Math.random() > 0.5 ? done('good') : done('bad')) });

export const known: StageName = 'transcribe';
// @ts-expect-error no such stage
export const unknown: StageName = 'transcripe';

export const queue: QueueName<typeof pipeline> = 'transcribe-large';
// @ts-expect-error a stage that has no large lane
export const laneless: QueueName<typeof pipeline> = 'extract-large';

export const closed = definePipeline({
  one: step(one, { good: 'two' }),
  two: step(two, { good: end, bad: ['one'] }),
});

// @ts-expect-error an outcome is not routed
step(two, { good: end });
// @ts-expect-error an outcome that the stage never returns
step(one, { good: end, bad: end });
// @ts-expect-error a target that is not a stage
definePipeline({ one: step(one, { good: 'tow' }), two: step(two, { good: end, bad: end }) });
// @ts-expect-error one of several targets is not a stage
definePipeline({ one: step(one, { good: ['one', 'tow'] }) });

const large = { concurrency: 1, timeoutMs: 1000 };
const heavy = defineStage({
  run: async () => done('good'),
  lanes: { large, degrade: async () => done('worse') },
});
export const laned = definePipeline({ heavy: step(heavy, { good: end, worse: end }) });

// @ts-expect-error the outcome of the degraded run is not routed
step(heavy, { good: end });
// @ts-expect-error lanes without limits for the large one
defineStage({ run: async () => done('good'), lanes: {} });
const laneName = step(one, { good: end });
// @ts-expect-error the name of another stage's lane
definePipeline({ heavy: step(heavy, { good: end, worse: end }), 'heavy-large': laneName });
