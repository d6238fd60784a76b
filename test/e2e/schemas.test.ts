import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { SchemaDefinition } from '../../src/domain/schema/definition.ts';
import { openLocalExtractor } from '../../src/extraction/local.ts';
import { openOpenAi } from '../../src/extraction/openai/index.ts';
import type { Extractor } from '../../src/extraction/port.ts';
import { openLocalReader } from '../../src/providers/ocr/local/index.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { startOpenAiSimulator } from '../../src/simulators/openai/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { type CallOptions, openTestApi } from '../kit/api.ts';
import { drain } from '../kit/drain.ts';
import { policy, policyData, policyText } from '../kit/policy.ts';

/** Types of documents that a workspace brings along, over HTTP and through the whole pipeline. */

const made = z.object({ id: z.string() });
/** What any of these requests may be answered with. */
const answer = z
  .looseObject({
    id: z.string(),
    hint: z.string(),
    definition: z.looseObject({ fields: z.looseObject({}) }),
    documents: z.array(made),
    errors: z.array(z.unknown()),
    documentType: z.string().nullable(),
    verdict: z.looseObject({ reasons: z.array(z.string()) }).nullable(),
    inputTokens: z.number(),
  })
  .partial();
const request = z.looseObject({
  response_format: z.looseObject({ json_schema: z.unknown() }),
  messages: z.unknown(),
});
const headers = { 'content-type': 'application/json' };

async function openSchemas(extractor: Extractor = openLocalExtractor()) {
  const sandbox = openSandbox({ processes: 1, memoryMb: 400, recycleAfter: 50 });
  const limits = { maxPages: 10, maxPixels: 1e7, languages: [], pageTimeoutMs: 60_000 };
  const reader = openLocalReader({ sandbox, ...limits });
  const api = await openTestApi({ pipeline, resources: { reader, extractor } });
  onTestFinished(async () => {
    await api.close();
    await sandbox.close();
  });
  const { operator } = api.keys;
  const json = async (path: string, options: CallOptions = {}) => {
    const response = await api.call(path, options);
    return { status: response.status, body: answer.parse(await response.json().catch(() => ({}))) };
  };
  const scope = `workspaceId=${api.workspaceId}`;
  const post = (path: string, body: object) =>
    json(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    ...api,
    json,
    post,
    put: (name: string, definition: object) =>
      json(`/v1/schemas/${name}?${scope}`, {
        method: 'PUT',
        key: operator,
        headers,
        body: JSON.stringify(definition),
      }),
    retire: (name: string) =>
      json(`/v1/schemas/${name}?${scope}`, { method: 'DELETE', key: operator }),
    send: (body: string, query = '', key = api.keys.user) =>
      json(`/v1/documents?name=a.txt${query}`, { method: 'POST', body, key }),
    /** What became of a document that was sent. */
    async processed({ body }: { body: unknown }, key = api.keys.user) {
      await drain(api.runnerWith());
      return (await json(`/v1/documents/${made.parse(body).id}`, { key })).body;
    },
  };
}

const changed = (change: Partial<SchemaDefinition>) => ({ ...policy, ...change });

describe('an own schema', () => {
  test('is recognised, extracted, checked, and explained by its version', async () => {
    const schemas = await openSchemas();
    expect(await schemas.put('policy', policy)).toMatchObject({
      status: 201,
      body: { version: 1, origin: 'own' },
    });
    const document = await schemas.processed(await schemas.send(policyText));
    expect(document).toMatchObject({
      documentType: 'policy',
      schema: { name: 'policy', origin: 'own', version: 1 },
      structuredData: policyData,
      valid: true,
      needsReview: false,
      verdict: {
        fields: { policy_number: { ok: true, evidence: { page: 1, text: 'POL-104711' } } },
      },
    });
    const { definition } = (await schemas.json('/v1/schemas/policy')).body;
    expect(definition).toEqual(policy);
    expect(Object.keys(definition?.fields ?? {})).toEqual(Object.keys(policy.fields));
  });

  test('sends a document without a field it cannot do without to a person', async () => {
    const schemas = await openSchemas();
    await schemas.put('policy', policy);
    const document = await schemas.processed(
      await schemas.send(policyText.replace(/Policyholder.*\n/, '')),
    );
    expect(document).toMatchObject({ documentType: 'policy', valid: false, needsReview: true });
    expect(document.verdict?.reasons).toContain('holder is missing');
  });

  test('is unknown to another workspace', async () => {
    const schemas = await openSchemas();
    await schemas.put('policy', policy);
    const key = schemas.keys.stranger;
    expect((await schemas.json('/v1/schemas/policy', { key })).status).toBe(404);
    expect(
      (await schemas.json(`/v1/schemas?workspaceId=${schemas.workspaceId}`, { key })).status,
    ).toBe(404);
    expect(JSON.stringify((await schemas.json('/v1/schemas', { key })).body)).not.toContain(
      'policy',
    );
    expect((await schemas.send(policyText, '&type=policy', key)).status).toBe(422);
    expect(await schemas.processed(await schemas.send(policyText, '', key), key)).toMatchObject({
      documentType: 'generic',
      schema: { origin: 'shipped' },
    });
  });

  test('has a version for every change, and all of them stay', async () => {
    const schemas = await openSchemas();
    await schemas.put('policy', policy);
    const sent = await schemas.send(policyText);
    await schemas.processed(sent);
    expect(await schemas.put('policy', policy)).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    expect(await schemas.put('policy', changed({ critical: ['iban'] }))).toMatchObject({
      body: { version: 2 },
    });
    // A result of the version before is not taken for one of this.
    await schemas.post(`/v1/documents/${made.parse(sent.body).id}/reprocess`, {});
    expect(await schemas.processed(sent)).toMatchObject({ schema: { version: 2 } });
    expect(await schemas.json('/v1/schemas/policy?version=1')).toMatchObject({
      status: 200,
      body: { retiredAt: expect.any(String), definition: { critical: policy.critical } },
    });
    expect((await schemas.retire('policy')).status).toBe(204);
    expect((await schemas.retire('policy')).status).toBe(404);
    expect((await schemas.json('/v1/schemas/policy')).status).toBe(404);
    expect(await schemas.put('policy', policy)).toMatchObject({
      status: 201,
      body: { version: 3 },
    });
  });

  test('stands in for a shipped one of the same name, also where that was used on the same bytes', async () => {
    const schemas = await openSchemas();
    const text = 'INVOICE\nInvoice number: 4711\nOrder code: Z-7\nTotal due: 100.00 EUR';
    expect(await schemas.processed(await schemas.send(text))).toMatchObject({
      schema: { origin: 'shipped' },
    });
    const { definition } = (await schemas.json('/v1/schemas/invoice')).body;
    const code = { kind: 'text', description: 'Code of the order', labels: ['Order code'] };
    await schemas.put('invoice', { ...definition, fields: { ...definition?.fields, code } });
    expect(await schemas.processed(await schemas.send(text))).toMatchObject({
      schema: { name: 'invoice', origin: 'own', version: 1 },
      structuredData: { invoice_number: '4711', total: 100, code: 'Z-7' },
    });
    expect((await schemas.json('/v1/schemas/invoice?origin=shipped')).body.definition).toEqual(
      definition,
    );
    await schemas.retire('invoice');
    expect((await schemas.json('/v1/schemas/invoice')).body).toMatchObject({ origin: 'shipped' });
  });

  test('with faults is refused with the place of each', async () => {
    const schemas = await openSchemas();
    const wrong = changed({
      critical: ['number'],
      rules: [{ kind: 'order', earlier: 'start_date', later: 'tax' }],
    });
    expect(await schemas.put('policy', wrong)).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        issues: [
          { path: 'critical.0', message: 'there is no field "number"' },
          { path: 'rules.0.later', message: '"tax" is amount, not date' },
        ],
      },
    });
    expect(await schemas.put('Policy', policy)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'name' }] },
    });
    expect((await schemas.put('auto', policy)).status).toBe(400);
  });
});

describe('a type that is forced', () => {
  const letter = 'Dear Sir,\nPolicy number: POL-000001\nwe write to you.';

  test('holds for an upload, and for the runs after it until it is taken back', async () => {
    const schemas = await openSchemas();
    await schemas.put('policy', changed({ recognise: [] }));
    const sent = await schemas.send(letter, '&type=policy');
    expect(await schemas.processed(sent)).toMatchObject({
      documentType: 'policy',
      structuredData: { policy_number: 'POL-000001' },
    });
    const again = `/v1/documents/${made.parse(sent.body).id}/reprocess`;
    await schemas.post(again, {});
    expect(await schemas.processed(sent)).toMatchObject({ documentType: 'policy' });
    await schemas.post(again, { overrides: { documentType: 'receipt', fromStage: 'extract' } });
    expect(await schemas.processed(sent)).toMatchObject({ documentType: 'receipt' });
    await schemas.post(again, { overrides: { documentType: 'auto' } });
    expect(await schemas.processed(sent)).toMatchObject({ documentType: 'generic' });
  });

  test('holds for the files of a form that stand behind it', async () => {
    const schemas = await openSchemas();
    const body = new FormData();
    body.append('file', new Blob([letter]), 'a.txt');
    body.append('type', 'receipt');
    body.append('file', new Blob([letter]), 'b.txt');
    const { documents = [] } = (await schemas.json('/v1/documents', { method: 'POST', body })).body;
    const types = [];
    for (const each of documents)
      types.push((await schemas.processed({ body: each })).documentType);
    expect(types).toEqual(['generic', 'receipt']);
    body.append('type', 'invoice');
    expect(
      (await schemas.json('/v1/documents', { method: 'POST', body })).body.errors,
    ).toMatchObject([
      { code: 'BAD_REQUEST', detail: expect.stringContaining('comes after all files') },
    ]);
  });

  test('holds for the documents of a batch that say nothing else', async () => {
    const schemas = await openSchemas();
    const { body: batch } = await schemas.post('/v1/batches', {
      name: 'import',
      documentType: 'receipt',
    });
    expect(batch).toMatchObject({ documentType: 'receipt' });
    await schemas.post(`/v1/batches/${batch.id}/start`, {});
    const add = (text: string, query = '') =>
      schemas.json(`/v1/batches/${batch.id}/documents?name=a.txt${query}`, {
        method: 'POST',
        body: text,
      });
    expect(await schemas.processed(await add('one'))).toMatchObject({ documentType: 'receipt' });
    expect(await schemas.processed(await add('two', '&type=auto'))).toMatchObject({
      documentType: 'generic',
    });
  });

  test('must be known, and those that are known are told', async () => {
    const schemas = await openSchemas();
    await schemas.put('policy', policy);
    const unknown = {
      status: 422,
      body: { code: 'UNKNOWN_TYPE', detail: 'There is no document type "polizze".' },
    };
    const refused = await schemas.send(letter, '&type=polizze');
    expect(refused).toMatchObject(unknown);
    expect(refused.body.hint).toBe(
      'Choose from policy, invoice, receipt, generic, or auto for automatic detection.',
    );
    expect(await schemas.objects()).toEqual([]);
    expect(await schemas.post('/v1/batches', { name: 'a', documentType: 'polizze' })).toMatchObject(
      unknown,
    );
    const { body } = await schemas.send(letter);
    await schemas.processed({ body });
    const again = `/v1/documents/${made.parse(body).id}/reprocess`;
    expect(await schemas.post(again, { overrides: { documentType: 'polizze' } })).toMatchObject(
      unknown,
    );
  });

  test('that is out of force by the time of extraction still does what was asked', async () => {
    const schemas = await openSchemas();
    await schemas.put('policy', policy);
    const sent = await schemas.send(letter, '&type=policy');
    await schemas.retire('policy');
    expect(await schemas.processed(sent)).toMatchObject({
      documentType: 'policy',
      schema: { version: 1 },
    });
  });
});

describe('with a model', () => {
  async function openModel() {
    const requests: z.infer<typeof request>[] = [];
    const simulator = await startOpenAiSimulator({
      onRequest: (body) => requests.push(request.parse(body)),
    });
    onTestFinished(() => simulator.close());
    const extractor = openOpenAi({
      apiKey: 'simulated',
      baseUrl: simulator.baseUrl,
      model: 'simulated',
    });
    return { ...(await openSchemas(extractor)), requests };
  }

  test('the strict JSON Schema of the own type goes over the wire', async () => {
    const model = await openModel();
    await model.put('policy', policy);
    const document = await model.processed(await model.send(policyText));
    expect(document).toMatchObject({
      documentType: 'policy',
      structuredData: { policy_number: expect.any(String) },
    });
    expect(model.requests[0]?.response_format.json_schema).toMatchObject({
      strict: true,
      schema: {
        additionalProperties: false,
        properties: {
          fields: {
            additionalProperties: false,
            required: Object.keys(policy.fields),
            properties: {
              premium: { type: ['number', 'null'] },
              people: { type: ['number', 'null'] },
            },
          },
        },
      },
    });
    expect(JSON.stringify(model.requests)).toContain(policy.prompt);
  });

  test('it chooses among all types where no rule does, once for the same bytes, and is paid for it', async () => {
    const model = await openModel();
    await model.put(
      'shipping-note',
      changed({ title: 'Note that goes with goods', recognise: [] }),
    );
    const text = 'Acme sends this shipping note along.';
    const document = await model.processed(await model.send(text));
    expect(document).toMatchObject({ documentType: 'shipping-note' });
    const [choice] = model.requests;
    expect(choice?.response_format.json_schema).toMatchObject({
      strict: true,
      schema: {
        properties: { type: { enum: ['shipping-note', 'invoice', 'receipt', 'generic'] } },
      },
    });
    expect(JSON.stringify(choice?.messages)).toContain('shipping-note: Note that goes with goods');
    const asked = model.requests.length;
    expect(document.inputTokens).toBeGreaterThan(JSON.stringify(choice?.messages).length / 5);
    expect(await model.processed(await model.send(text))).toMatchObject({
      documentType: 'shipping-note',
      inputTokens: 0,
    });
    expect(model.requests).toHaveLength(asked);
  });
});
