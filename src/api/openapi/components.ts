import { z } from 'zod';
import { namedSchemas } from '../named.ts';

export type Json = Record<string, unknown>;
export type Direction = 'input' | 'output';

const prefix = '#/components/schemas/';
const references = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

/** Collects the named schemas that a description refers to. */
export class Components {
  readonly #defined = { input: define('input'), output: define('output') };
  readonly #used = new Map<string, Json>();

  get schemas(): Record<string, Json> {
    return Object.fromEntries([...this.#used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to a named schema. Throws for a schema that has no name. */
  refer(schema: z.ZodType, direction: Direction): Json {
    const id = namedSchemas.get(schema)?.id;
    if (!id)
      throw new Error('A request body or an answer has no name. Wrap its schema in named().');
    this.#use(id, direction);
    return { $ref: `${prefix}${id}` };
  }

  #use(id: string, direction: Direction): void {
    const schema = this.#defined[direction][id];
    if (!schema) throw new Error(`The schema ${id} is not defined`);
    const text = JSON.stringify(schema);
    const known = this.#used.get(id);
    if (known && JSON.stringify(known) !== text)
      throw new Error(`${id} differs between requests and answers. Give each a name of its own.`);
    if (known) return;
    this.#used.set(id, schema);
    for (const [, other = ''] of text.matchAll(references)) this.#use(other, direction);
  }
}

function define(io: Direction): Record<string, Json> {
  const { schemas } = z.toJSONSchema(namedSchemas, {
    io,
    unrepresentable: 'any',
    uri: (id) => `${prefix}${id}`,
    override: ({ jsonSchema }) => allowMore(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
}

/** More members are allowed by default. Generators make the explicit form an index signature. */
function allowMore(schema: z.core.JSONSchema.BaseSchema): void {
  const { additionalProperties: more } = schema;
  if (schema.properties && typeof more === 'object' && Object.keys(more).length === 0)
    delete schema.additionalProperties;
}
