import type { components, operations } from './generated/api.ts';
import type { routes } from './generated/routes.ts';

/** The named schemas of the API: `Schemas['Document']`. */
export type Schemas = components['schemas'];

export type OperationName = keyof typeof routes & keyof operations;

type Success = 200 | 201 | 202 | 204;
type JsonBody<Body> =
  NonNullable<Body> extends { content: { 'application/json': infer Json } } ? Json : never;
type RequestBody<Body> = [JsonBody<Body>] extends [never]
  ? { body?: never }
  : undefined extends Body
    ? { body?: JsonBody<Body> }
    : { body: JsonBody<Body> };
type Parsed<Answer> = Answer extends { content: infer Content }
  ? {
      [Type in keyof Content]: Type extends 'application/json' ? Content[Type] : string;
    }[keyof Content]
  : undefined;

/** Path, query and header parameters of an operation, and its body. */
export type Input<Name extends OperationName> = Omit<operations[Name]['parameters'], 'cookie'> &
  RequestBody<operations[Name]['requestBody']>;

/** The answer of an operation: parsed JSON, text, or undefined where it has no content. */
export type Output<Name extends OperationName> = Parsed<
  operations[Name]['responses'][Success & keyof operations[Name]['responses']]
>;

/** Operations that answer with a page of a list. */
export type ListName = {
  [Name in OperationName]: Output<Name> extends { nextCursor: infer Cursor }
    ? null extends Cursor
      ? Name
      : never
    : never;
}[OperationName];

/** What a list consists of: the items of the page's only array. */
export type Item<Name extends ListName> = {
  [Member in keyof Output<Name>]: Output<Name>[Member] extends (infer Each)[] ? Each : never;
}[keyof Output<Name>];

/** Arguments after the name of the operation: optional if nothing is required. */
export type Arguments<Name extends OperationName, Options> =
  Record<never, never> extends Input<Name>
    ? [input?: Input<Name> & Options]
    : [input: Input<Name> & Options];
