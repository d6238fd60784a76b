import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { env } from '../../src/config/env/index.ts';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { keys } from '../../src/lib/keys.ts';
import { SECOND } from '../../src/lib/time.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { commandProblems, longestOf, queuesServed } from '../kit/arguments.ts';
import { templates, values } from '../kit/chart.ts';
import { exportedMetrics } from '../kit/metrics.ts';
import { problemsOf } from '../kit/promql.ts';

const group = z.object({
  stages: z.array(z.string()),
  shutdownGraceSeconds: z.int().optional(),
  replicas: z.object({ min: z.int().min(1), max: z.int() }),
  backlogSeconds: z.number().optional(),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});
const shape = z.looseObject({
  env: z.record(z.string(), z.string()),
  secret: z.object({ name: z.string(), variables: z.record(z.string(), z.string()) }),
  shutdownGraceSeconds: z.int(),
  workers: z.record(z.string(), group),
});
const given = shape.parse(values);
const all = Object.values(templates).join('\n');

describe('the values', () => {
  test('name variables that exist, and hold no secret', () => {
    const known = keys(env.shape);
    for (const name of Object.keys(given.secret.variables)) expect(known).toContain(name);
    for (const name of Object.keys(given.env)) {
      expect(known).toContain(name);
      expect(
        env.shape[known.find((each) => each === name) ?? 'MILLRACE_ROLES'].meta()?.secret,
      ).not.toBe(true);
    }
    expect(env.safeParse({ ...given.env }).success).toBe(true);
  });

  test('give every queue to one group of workers', () => {
    const queues = Object.values(given.workers).flatMap((each) => queuesServed(each.stages));
    expect(queues.toSorted()).toEqual([...queueNames(pipeline), 'quarantine'].toSorted());
  });

  test.each(Object.entries(given.workers))(
    'let the longest work of %s come to its end',
    (_, group) => {
      const grace = group.shutdownGraceSeconds ?? given.shutdownGraceSeconds;
      expect(grace * SECOND).toBeGreaterThan(longestOf(group.stages));
    },
  );
});

describe('the templates', () => {
  test('use values that are there', () => {
    for (const [, path = ''] of all.matchAll(/\.Values\.([\w.]+)/g)) {
      const found = path
        .split('.')
        .reduce<unknown>((at, name) => z.looseObject({}).catch({}).parse(at)[name], given);
      expect([path, found === undefined]).toEqual([path, false]);
    }
    for (const [, path = ''] of all.matchAll(/\$group\.([\w.]+)/g)) {
      const first = given.workers.large;
      const found = path
        .split('.')
        .reduce<unknown>((at, name) => z.looseObject({}).catch({}).parse(at)[name], first);
      expect([path, found === undefined]).toEqual([path, false]);
    }
  });

  test('name variables, commands, paths and ports of ours', () => {
    for (const [name] of all.matchAll(/MILLRACE_\w+/g)) expect(keys(env.shape)).toContain(name);
    for (const [, list = ''] of all.matchAll(/"args" \(list ([^)]*?)\)/g))
      expect(
        commandProblems([...list.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text)),
      ).toEqual([]);
    const stages = keys(pipeline).join(',');
    expect(commandProblems(['worker', '--stages', stages])).toEqual([]);
    const paths = [...all.matchAll(/path: (\/\w+)/g)].map(([, path]) => path);
    expect(new Set(paths)).toEqual(new Set(['/livez', '/readyz', '/metrics']));
    for (const [, port] of all.matchAll(/(?:targetPort|httpGet: \{ path: \/\w+, port): (\w+)/g))
      expect(all).toContain(`name: ${port}, containerPort`);
  });

  test('scale on a metric that is exported', async () => {
    const { fleet } = await exportedMetrics();
    const queries = [...all.matchAll(/^ +query: (.*)$/gm)].map(([, query = '']) =>
      query.replace(/\{\{.*?\}\}/g, 'x'),
    );
    expect(queries).toHaveLength(1);
    for (const query of queries) expect(problemsOf(query, fleet)).toEqual([]);
  });

  test('close what they open, and run as nobody in particular', () => {
    for (const text of Object.values(templates)) {
      const opened = [...text.matchAll(/\{\{-? *(?:if|range|define|with)\b/g)].length;
      expect([...text.matchAll(/\{\{-? *end\b/g)]).toHaveLength(opened);
    }
    for (const line of [
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
    ])
      expect(all).toContain(line);
    expect(all).not.toMatch(/kind: Secret\b/);
  });
});
