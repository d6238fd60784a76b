/** Invalid responses by name. `good` is the valid response. */
export const garbage = {
  empty: () => '',
  'not-json': () => 'I am sorry, here is no JSON.',
  'json-in-prose': (good) =>
    `Here is the data you asked for:\n\`\`\`json\n${good}\n\`\`\`\nAnything else?`,
  nan: () =>
    '{"extraction_successful":true,"confidence":"high","missing_fields":[],"fields":{"total":NaN},"evidence":{}}',
  'duplicate-keys': (good) => good.replace(/^\{/, '{"confidence":"high",'),
  proto: (good) => good.replace(/^\{/, '{"__proto__":{"polluted":true},'),
  'deep-nesting': () => `{"fields":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'wrong-types': (good) =>
    good.replace(/"fields":\{/, '"fields":{"a":1,').replace(/"([^"]+)":-?[\d.]+/g, '"$1":"a lot"'),
  'wrong-shape': () => '{"answer":42}',
} as const satisfies Record<string, (good: string) => string>;

export type Garbage = keyof typeof garbage;
