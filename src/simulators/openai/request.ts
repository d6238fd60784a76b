import { z } from 'zod';

/** The part of a JSON Schema that the simulator uses. */
export interface FieldSchema {
  type: string[];
  enum?: string[] | undefined;
  properties: Record<string, FieldSchema>;
  items?: FieldSchema | undefined;
}

export const fieldSchema: z.ZodType<FieldSchema> = z.object({
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]),
  enum: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), fieldSchema).default({});
  },
  get items() {
    return fieldSchema.optional();
  },
});

export const chatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  response_format: z
    .object({ type: z.string(), json_schema: z.object({ schema: fieldSchema }).optional() })
    .optional(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

/** The document between its tags in the prompt; the whole prompt if there are no tags. */
export function documentIn({ messages }: ChatRequest): string {
  const user = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const text = user[0] ?? '';
  return /<(document-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(text)?.[2] ?? text;
}

/** The requested schema, from `response_format` or else from the prompt. */
export function schemaIn({
  messages,
  response_format: format,
}: ChatRequest): FieldSchema | undefined {
  if (format?.json_schema) return format.json_schema.schema;
  const prompt = messages[0]?.content ?? '';
  try {
    return fieldSchema.parse(
      JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)),
    );
  } catch {
    return undefined;
  }
}
