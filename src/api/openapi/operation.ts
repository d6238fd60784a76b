import type { z } from 'zod';
import type { Access } from '../middleware/authenticate.ts';

export interface OperationAnswer {
  description: string;
  /** Of a JSON body. */
  schema?: z.ZodType;
  /** Of any other body. */
  mediaType?: string;
}

/** One thing that callers can ask for, described by the schemas that check it. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/v1/documents/{id}`. */
  path: string;
  tag: string;
  summary: string;
  access: Access;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Bodies that are not JSON, by media type; the value says what they hold. */
  uploads?: Readonly<Record<string, string>>;
  /** Beyond the errors that everything may answer with. */
  answers: Readonly<Record<number, OperationAnswer>>;
}
