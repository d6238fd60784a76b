/** The direction of imports, lowest layer first: a file imports from its own layer or from one above its line, never from below. */
const layers = [
  ['src/lib/'],
  ['src/domain/'],
  ['src/errors.ts', 'src/config/', 'src/observability/'],
  ['src/sandbox/', 'src/db/', 'src/storage/'],
  ['src/outgoing/'],
  ['src/providers/', 'src/embedded/'],
  ['src/resources.ts', 'src/redis.ts', 'src/services.ts'],
  ['src/destinations/', 'src/webhooks/'],
  ['src/engine/'],
  ['src/intake/', 'src/deliveries/'],
  ['src/workers/', 'src/jobs/', 'src/api/'],
  ['src/credentials.ts', 'src/checks/', 'src/roles/'],
  ['src/app.ts'],
  ['src/commands/'],
  ['src/cli.ts'],
];
const pattern = (paths) => `^(${paths.join('|').replaceAll('.', '\\.')})`;

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...layers.slice(0, -1).map((layer, i) => ({
      name: `downward-from-${i}`,
      severity: 'error',
      from: { path: pattern(layer), pathNot: '\\.test\\.ts$|^src/errors\\.ts$' },
      to: { path: pattern(layers.slice(i + 1).flat()), dependencyTypesNot: ['type-only'] },
    })),
    ...['workers', 'jobs', 'api'].map((side) => ({
      name: `${side}-stands-alone`,
      severity: 'error',
      from: { path: `^src/${side}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(workers|jobs|api)/`, pathNot: `^src/${side}/` },
    })),
    ...[
      ['bullmq', '^src/(engine/|workers/processors/|api/board\\.ts)'],
      ['express', '^src/api/'],
      ['@aws-sdk/', '^src/storage/'],
      ['openai', '^src/providers/llm/openai'],
      ['@google-cloud/documentai', '^src/providers/ocr/documentai'],
      ['@opentelemetry/(sdk|exporter|resources)', '^src/observability/tracing/'],
      ['sharp|@hyzyla/pdfium|onnxruntime-node|yauzl|postal-mime', '^src/sandbox/'],
    ].map(([module, only]) => ({
      name: `only-there-${module}`,
      severity: 'error',
      from: { path: '^src/', pathNot: `${only}|\\.test\\.ts$` },
      to: { path: `^node_modules/(${module})` },
    })),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    exclude: { path: '^(dist|samples)/' },
  },
};
