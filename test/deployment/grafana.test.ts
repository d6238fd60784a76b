import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { exportedMetrics } from '../kit/metrics.ts';
import { problemsOf } from '../kit/promql.ts';

const folder = fileURLToPath(new URL('../../grafana', import.meta.url));
const panel = z.object({
  id: z.number(),
  title: z.string(),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).min(1),
});
const dashboard = z.object({ uid: z.string(), title: z.string(), panels: z.array(panel).min(1) });
const rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

const { process, fleet } = await exportedMetrics();
const exported = [...process, ...fleet];
const files = readdirSync(`${folder}/dashboards`);
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');

describe.each(files)('the dashboard %s', (file) => {
  const { panels } = dashboard.parse(JSON.parse(read(`dashboards/${file}`)));

  test.each(panels)('asks in "$title" for what is exported', ({ targets }) => {
    for (const { expr } of targets) {
      expect(problemsOf(expr, exported)).toEqual([]);
      for (const [, stage] of expr.matchAll(/stage="([^"]+)"/g))
        expect(queueNames(pipeline)).toContain(stage);
    }
  });

  test('names its panels and their numbers once', () => {
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

test('every metric of ours is on a dashboard or in an alert', () => {
  const shown = [...files.map((file) => `dashboards/${file}`), 'alerts.yml'].map(read).join();
  const missing = exported
    .map(({ name }) => name)
    .filter((name) => name.startsWith('millrace_') && !shown.includes(name));
  expect(missing).toEqual([]);
});

describe('the alerts', () => {
  const alerts = rules.parse(parse(read('alerts.yml'))).groups.flatMap((group) => group.rules);

  test.each(alerts)('$alert asks for what is exported', ({ expr }) => {
    expect(problemsOf(expr, exported)).toEqual([]);
  });

  test('are each tried out', () => {
    const tried = new Set(
      [...read('alerts.test.yml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name),
    );
    expect(alerts.map(({ alert }) => alert).filter((name) => !tried.has(name))).toEqual([]);
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0;
  test.skipIf(!promtool).each([
    ['check', 'alerts.yml'],
    ['test', 'alerts.test.yml'],
  ])('pass promtool %s', (verb, file) => {
    const { status, stdout, stderr } = spawnSync('promtool', [verb, 'rules', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

test('the check of queries sees what is wrong', () => {
  expect(problemsOf('sum(millrace_nothing)', exported)).toEqual([
    'no such metric: millrace_nothing',
  ]);
  expect(problemsOf('millrace_tasks{colour="red"}', exported)).toEqual([
    'millrace_tasks has no label colour',
  ]);
  expect(problemsOf('sum by (queue) (millrace_tasks)', exported)).toHaveLength(1);
  expect(problemsOf('rate(millrace_stage_duration_seconds[5m])', exported)).toHaveLength(1);
  expect(problemsOf('sum((millrace_tasks)', exported)).toEqual([
    expect.stringContaining('no PromQL'),
  ]);
  expect(problemsOf('sum(millrace_dead_letters_total)', exported)).toEqual([
    expect.stringContaining('only ever grows'),
  ]);
});
