import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestEngine } from '../../test/kit/engine.ts';
import { policy } from '../../test/kit/policy.ts';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { findSchema } from '../db/schemas.ts';
import { definePipeline } from '../engine/pipeline/pipeline.ts';
import { SetupError } from '../errors.ts';
import { putSchemaFiles, readSchemaFile } from './schema-files.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(definePipeline({}));
});
afterAll(() => engine.close());

async function folder(files: Record<string, unknown>): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(directory, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  return directory;
}

const put = (directory: string) =>
  putSchemaFiles(engine.resources.database.db, engine.workspaceId, directory);

describe('a directory of schemas', () => {
  test('is put into force, and again only what has changed', async () => {
    const directory = await folder({
      'policy.json': policy,
      'claim.json': policy,
      'README.md': 'no schema',
    });
    await mkdir(join(directory, 'more'));
    expect((await put(directory)).map(({ name, version }) => [name, version])).toEqual([
      ['claim', 1],
      ['policy', 1],
    ]);
    await writeFile(join(directory, 'claim.json'), JSON.stringify({ ...policy, title: 'Claim' }));
    expect((await put(directory)).map(({ name, version }) => [name, version])).toEqual([
      ['claim', 2],
    ]);
  });

  test('with faults puts nothing into force and tells all of them, with file and place', async () => {
    const directory = await folder({
      'fine.json': policy,
      'bad-rule.json': { ...policy, critical: ['nothing'] },
      'Bad_name.json': { ...policy, titel: '' },
      'broken.json': '{',
    });
    const error = await put(directory).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SetupError);
    expect(String(error)).toContain(
      `${directory}/bad-rule.json: critical.0: there is no field "nothing"`,
    );
    expect(String(error)).toContain(
      `${directory}/Bad_name.json: the name "Bad_name" must be lowercase letters`,
    );
    expect(String(error)).toContain(`${directory}/Bad_name.json: Unrecognized key: "titel"`);
    expect(String(error)).toContain(`${directory}/broken.json: `);
    expect(
      await findSchema(engine.resources.database.db, engine.workspaceId, 'fine'),
    ).toBeUndefined();
  });

  test('that is not there is a fault of the configuration', async () => {
    await expect(put('/nowhere/schemas')).rejects.toThrow(SetupError);
  });
});

test('a file is named for the type it defines', async () => {
  const directory = await folder({ 'policy.json': policy });
  expect(await readSchemaFile(join(directory, 'policy.json'))).toEqual({
    name: 'policy',
    definition: policy,
  });
});
