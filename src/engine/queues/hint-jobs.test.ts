import { expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { pipeline } from '../../workers/pipeline.ts';
import { bundleSize } from '../pipeline/pipeline.ts';
import { hintsIn } from '../task/task.ts';
import { bundleHints, hintId } from './queues.ts';

const hints = Array.from({ length: 5 }, (_, epoch) => ({
  taskId: newId(),
  epoch,
  stage: 'claim',
  suspect: false,
}));

test('a hint alone becomes a job that has its name', () => {
  expect(bundleHints(hints, 1)).toEqual(
    hints.map(({ taskId, epoch }) => ({
      name: 'claim',
      data: { taskId, epoch },
      opts: { jobId: `${taskId}-${epoch}` },
    })),
  );
});

test('bundles hold as many as they may, in order; a lone rest is a hint like any other', () => {
  const jobs = bundleHints(hints, 2);
  expect(jobs.map(({ data }) => ('tasks' in data ? data.tasks.length : 'one'))).toEqual([
    2,
    2,
    'one',
  ]);
  expect(jobs.flatMap(({ data }) => hintsIn(data)).map(hintId)).toEqual(hints.map(hintId));
});

test('no bundle takes the name of one of its tasks, which may be waiting by itself', () => {
  const taken = new Set(hints.map(hintId));
  for (const { opts } of bundleHints(hints, 3).slice(0, 1)) expect(taken).not.toContain(opts.jobId);
});

test('only light stages are bundled, and those not where an operator has set a limit', () => {
  expect(
    ['claim', 'transcribe', 'transcribe-large', 'extract', 'finalize'].map((queue) =>
      bundleSize(pipeline, queue),
    ),
  ).toEqual([16, 1, 1, 1, 16]);
  expect(bundleSize(pipeline, 'claim', { timeoutMs: 1000 })).toBe(16);
  expect(bundleSize(pipeline, 'claim', { concurrency: 2 })).toBe(1);
  expect(bundleSize(pipeline, 'claim', { rate: 5 })).toBe(1);
});
