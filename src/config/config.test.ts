import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { queueNames } from '../engine/pipeline/pipeline.ts';
import { keys } from '../lib/keys.ts';
import { HOUR, MINUTE } from '../lib/time.ts';
import { pipeline } from '../workers/pipeline.ts';
import { env } from './env/index.ts';
import { envExample } from './example.ts';
import { loadConfig } from './index.ts';

const stages = ['claim', 'transcribe'];
const directory = mkdtempSync(join(tmpdir(), 'millrace-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

test('.env.example is what the table prints', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(envExample(queueNames(pipeline)));
});

test('every variable says what it is for', () => {
  for (const name of keys(env.shape))
    expect([name, env.shape[name].description]).toEqual([name, expect.any(String)]);
});

describe('loadConfig', () => {
  test('has a default for everything', () => {
    const config = loadConfig({}, stages, undefined);
    expect(config).toMatchObject({
      MILLRACE_PORT: 3000,
      MILLRACE_SHUTDOWN_GRACE: 10 * MINUTE,
      MILLRACE_GIVE_UP: 24 * HOUR,
    });
    expect(config.sources).toEqual({});
  });

  test('reports every problem at once', () => {
    const bad = {
      MILLRACE_PORT: '99999',
      DATABASE_URL: 'mysql://x',
      MILLRACE_CLAIM_RATE: 'fast',
      MILLRACE_STAGES: 'claim,fold',
      MILLRACE_PROT: '1',
    };
    expect(() => loadConfig(bad, stages, undefined)).toThrow(
      /5 problems[\s\S]*MILLRACE_PORT[\s\S]*DATABASE_URL[\s\S]*MILLRACE_CLAIM_RATE[\s\S]*MILLRACE_PROT: no such variable[\s\S]*no stage "fold"/,
    );
  });

  test('prefers the environment to .env, and takes empty for not set', () => {
    const dotEnv = file('.env', 'LOG_LEVEL=debug\nMILLRACE_PORT=4000\n');
    const config = loadConfig({ MILLRACE_PORT: '5000', MILLRACE_HOST: '' }, stages, dotEnv);
    expect(config).toMatchObject({
      LOG_LEVEL: 'debug',
      MILLRACE_PORT: 5000,
      MILLRACE_HOST: '127.0.0.1',
    });
    expect(config.sources).toEqual({ LOG_LEVEL: '.env', MILLRACE_PORT: 'environment' });
  });

  test('reads secrets from files, and says which file it cannot read', () => {
    const path = file('key', 'sk-from-file\n');
    const config = loadConfig({ OPENAI_API_KEY_FILE: path }, stages, undefined);
    expect(config).toMatchObject({
      OPENAI_API_KEY: 'sk-from-file',
      sources: { OPENAI_API_KEY: 'file' },
    });
    expect(() => loadConfig({ DATABASE_URL_FILE: '/no/such/file' }, stages, undefined)).toThrow(
      /DATABASE_URL_FILE: cannot read/,
    );
  });

  test('takes settings of each stage', () => {
    const { stages: overrides } = loadConfig(
      {
        MILLRACE_TRANSCRIBE_CONCURRENCY: '3',
        MILLRACE_TRANSCRIBE_RATE: '0.5',
        MILLRACE_CLAIM_TIMEOUT: '90s',
      },
      stages,
      undefined,
    );
    expect(overrides).toEqual({
      claim: { timeoutMs: 90_000 },
      transcribe: { concurrency: 3, rate: 0.5 },
    });
  });
});
