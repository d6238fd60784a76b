import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { pipeline } from '../../src/workers/pipeline.ts';
import { openTestApi } from '../kit/api.ts';
import { runCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { policy, policyData, policyText } from '../kit/policy.ts';
import { uniquePrefix } from '../kit/redis.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

async function filesOf(contents: Record<string, unknown>): Promise<(name: string) => string> {
  const directory = await temporaryDirectory();
  for (const [name, content] of Object.entries(contents))
    await writeFile(
      join(directory, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  return (name) => join(directory, name);
}

describe('millrace schema', { timeout: 120_000 }, () => {
  test('checks files without a server, and names every fault', async () => {
    const file = await filesOf({
      'policy.json': policy,
      'bad.json': { ...policy, critical: ['a', 'b'] },
    });
    expect(await runCli(['schema', 'check', file('policy.json')])).toMatchObject({
      code: 0,
      stdout: 'policy  good\n',
    });
    const { code, stderr } = await runCli(['schema', 'check', file('bad.json')]);
    expect(code).toBe(2);
    expect(stderr).toContain('bad.json: critical.0: there is no field "a"');
    expect(stderr).toContain('bad.json: critical.1: there is no field "b"');
  });

  test('puts, lists, shows and retires on a running server, where documents are then sent as such', async () => {
    const api = await openTestApi();
    onTestFinished(api.close);
    const env = { MILLRACE_URL: api.url, MILLRACE_API_KEY: api.keys.operator };
    const file = await filesOf({ 'policy.json': policy, 'a.txt': policyText });
    const put = () => runCli(['schema', 'put', file('policy.json')], env);
    expect(await put()).toMatchObject({ code: 0, stdout: 'policy  own 1\n' });
    expect(await put()).toMatchObject({ code: 0, stdout: 'policy  own 1\n' });
    expect((await runCli(['schema', 'list'], env)).stdout).toMatch(
      /^policy {2}own 1 {2}Insurance policy\ninvoice {2}shipped/,
    );
    expect(JSON.parse((await runCli(['schema', 'show', 'policy'], env)).stdout)).toEqual(policy);
    const sent = await runCli(['submit', '--json', '--type', 'policy', file('a.txt')], env);
    const { documentId } = JSON.parse(sent.stdout);
    expect(await api.ingestionOf(documentId)).toMatchObject({
      overrides: { documentType: 'policy' },
    });
    expect(await runCli(['schema', 'retire', 'policy'], env)).toMatchObject({ code: 0 });
    const refused = await runCli(['submit', '--type', 'policy', file('a.txt')], env);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no document type "policy".'),
    });
  });
});

describe('MILLRACE_SCHEMAS', { timeout: 120_000 }, () => {
  test('is a directory of types that are known from the start; a document can be told to be one', async () => {
    const engine = await openTestEngine(pipeline);
    onTestFinished(engine.close);
    const file = await filesOf({
      'policy.json': { ...policy, recognise: [] },
      'a.txt': policyText,
    });
    const env = {
      DATABASE_URL: engine.url,
      REDIS_URL: inject('redisUrl'),
      MILLRACE_DATA: engine.directory,
      MILLRACE_REDIS_PREFIX: uniquePrefix(),
      MILLRACE_SCHEMAS: file('.'),
    };
    const { code, stdout } = await runCli(
      ['run', '--json', '--type', 'policy', file('a.txt')],
      env,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      documentType: 'policy',
      structuredData: policyData,
      needsReview: false,
    });
    expect(code).toBe(0);
    const unknown = await runCli(['run', '--type', 'nothing', file('a.txt')], env);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Choose from policy, invoice'),
    });
    await writeFile(file('policy.json'), '{}');
    const faulty = await runCli(['run', file('a.txt')], env);
    expect(faulty).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('policy.json: title: Invalid input'),
    });
  });
});
