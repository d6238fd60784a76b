import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { env } from '../../src/config/env/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { keys } from '../../src/lib/keys.ts';
import { parseDuration, SECOND } from '../../src/lib/time.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { commandProblems, longestOf, stagesOf } from '../kit/arguments.ts';
import { canRender, renderChart } from '../kit/chart.ts';
import { exportedMetrics } from '../kit/metrics.ts';
import { problemsOf } from '../kit/promql.ts';

const labels = z.record(z.string(), z.string());
const port = z.object({ name: z.string(), containerPort: z.int() });
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const container = z.looseObject({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(
    z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() }),
  ),
  ports: z.array(port),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});
const object = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string(), labels: labels.optional() }),
});
const deployment = object.extend({
  spec: z.object({
    replicas: z.int().optional(),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.int(),
        containers: z.tuple([container]),
      }),
    }),
  }),
});
const scaled = object.extend({
  spec: z.looseObject({
    scaleTargetRef: z.object({ name: z.string() }),
    triggers: z.tuple([z.object({ type: z.literal('prometheus'), metadata: labels })]),
  }),
});
const selecting = object.extend({
  spec: z.looseObject({ selector: z.union([z.object({ matchLabels: labels }), labels]) }),
});

const chart = (changes?: Record<string, unknown>) => {
  const objects = z.array(object).parse(renderChart(changes));
  const of = <Shape extends z.ZodType>(kind: string, shape: Shape) =>
    z.array(shape).parse(objects.filter((each) => each.kind === kind));
  return { objects, deployments: of('Deployment', deployment), of };
};

describe.skipIf(!canRender)('the chart, rendered', { timeout: 180_000 }, () => {
  test('names every object once, by a name that Kubernetes takes', () => {
    const { objects } = chart();
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of objects)
      expect(metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
  });

  test('runs commands of ours with variables that exist, and ends them later than they need', () => {
    for (const { spec } of chart().deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [{ args, env: variables, image }] = containers;
      expect(image).toMatch(/^millrace:\d/);
      expect(commandProblems(args)).toEqual([]);
      for (const { name } of variables) expect(keys(env.shape)).toContain(name);
      const given = Object.fromEntries(
        variables.map(({ name, value = 'x'.repeat(32) }) => [name, value]),
      );
      const references = {
        DATABASE_URL: 'postgres://db/x',
        REDIS_URL: 'redis://cache',
        MILLRACE_API_KEY: undefined,
      };
      expect(() =>
        loadConfig({ ...given, ...references }, queueNames(pipeline), undefined),
      ).not.toThrow();
      const grace = parseDuration(given.MILLRACE_SHUTDOWN_GRACE ?? '') ?? 0;
      expect(grace).toBeGreaterThan(longestOf(stagesOf(args)));
      expect(terminationGracePeriodSeconds * SECOND).toBeGreaterThan(grace);
    }
  });

  test('asks for health at ports that are open', () => {
    for (const { spec } of chart().deployments) {
      const [{ ports, startupProbe, livenessProbe, readinessProbe }] =
        spec.template.spec.containers;
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe])
        expect(ports.map(({ name }) => name)).toContain(httpGet.port);
    }
  });

  test('selects pods that are there', () => {
    const { deployments, objects, of } = chart();
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels);
    const fits = (selector: z.infer<typeof labels>, found: z.infer<typeof labels> = {}) =>
      Object.entries(selector).every(([name, value]) => found[name] === value);
    for (const { spec } of deployments)
      expect(fits(spec.selector.matchLabels, spec.template.metadata.labels)).toBe(true);
    for (const kind of ['PodDisruptionBudget', 'Service'])
      for (const { spec } of of(kind, selecting)) {
        const { matchLabels = spec.selector } = z
          .object({ matchLabels: labels.optional() })
          .parse(spec.selector);
        expect(pods.filter((pod) => fits(labels.parse(matchLabels), pod)).length).toBeGreaterThan(
          0,
        );
      }
    const [monitor] = of('ServiceMonitor', selecting);
    const wanted = z.object({ matchLabels: labels }).parse(monitor?.spec.selector).matchLabels;
    const services = objects.filter(
      ({ kind, metadata }) => kind === 'Service' && fits(wanted, metadata.labels),
    );
    expect(services).toHaveLength(1);
  });

  test('scales what it runs, on series that are exported', async () => {
    const { fleet } = await exportedMetrics();
    const { deployments, of } = chart();
    const objects = of('ScaledObject', scaled);
    expect(objects.length).toBeGreaterThan(0);
    for (const { spec } of objects) {
      const target = deployments.find(({ metadata }) => metadata.name === spec.scaleTargetRef.name);
      expect(target).toBeDefined();
      expect(target?.spec.replicas).toBeUndefined();
      const { query = '' } = spec.triggers[0].metadata;
      expect(problemsOf(query, fleet)).toEqual([]);
      const stages = /stage=~"([^"]+)"/.exec(query)?.[1]?.split('|') ?? [];
      expect(stages.filter((stage) => !queueNames(pipeline).includes(stage))).toEqual([]);
    }
    const others = deployments.filter(
      ({ metadata }) => !objects.some((each) => each.spec.scaleTargetRef.name === metadata.name),
    );
    for (const { spec } of others) expect(spec.replicas).toBeGreaterThan(0);
  });

  test('runs a fixed number where nothing scales it, and says no more than it is told', () => {
    const { objects, deployments } = chart({
      keda: { enabled: false },
      metrics: { port: 9464, serviceMonitor: false },
    });
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(
      new Set(['Deployment', 'Service', 'PodDisruptionBudget']),
    );
    for (const { spec } of deployments) expect(spec.replicas).toBeGreaterThan(0);
  });
});
