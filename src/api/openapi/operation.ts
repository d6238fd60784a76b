import type { z } from 'zod';
import type { Access } from '../middleware/authenticate.ts';

export interface OperationAnswer {
  description: string;
  /** Schema of a JSON body. */
  schema?: z.ZodType;
  /** Media type of any other body. */
  mediaType?: string;
}

/** One endpoint, described by the same schemas that validate its requests. */
export interface Operation {
  /** Its name in clients: never changed once released. */
  operationId: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/v1/documents/{id}`. */
  path: string;
  tag: string;
  summary: string;
  access: Access;
  /** Concerns all workspaces: closed to keys that are bound to one. */
  global?: true;
  query?: z.ZodObject;
  /** Descriptions of required headers, by name. */
  headers?: Readonly<Record<string, string>>;
  /** Accepts an Idempotency-Key, with which it is safe to repeat. */
  idempotent?: true;
  body?: z.ZodType;
  /** Descriptions of non-JSON request bodies, by media type. */
  uploads?: Readonly<Record<string, string>>;
  /** By status; the error response that every endpoint shares is added elsewhere. */
  answers: Readonly<Record<number, OperationAnswer>>;
}
