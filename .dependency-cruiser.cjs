/** The direction of imports, lowest layer first: a file imports from its own layer or from one above its line, never from below. */
const layers = [
  ['src/lib/'],
  ['src/domain/'],
  ['src/errors.ts', 'src/config/', 'src/observability/'],
  ['src/content/', 'src/db/', 'src/storage/'],
  ['src/recognition/', 'src/understanding/'],
  ['src/sandbox/'],
  ['src/outgoing/'],
  ['src/providers/', 'src/servers/'],
  ['src/extraction/'],
  ['src/resources.ts'],
  ['src/renditions/'],
  ['src/destinations/', 'src/webhooks/'],
  ['src/engine/'],
  ['src/intake/'],
  ['src/lifecycle/', 'src/deliveries/'],
  ['src/workers/', 'src/jobs/', 'src/api/'],
  ['src/checks/', 'src/roles/', 'src/simulators/'],
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
      ['bullmq', '^src/(engine/queues/|workers/processors/|api/board/)'],
      ['express', '^src/api/'],
      ['@aws-sdk/', '^src/storage/'],
      ['openai', '^src/extraction/openai/'],
      ['@google-cloud/documentai', '^src/providers/ocr/documentai/'],
      ['@opentelemetry/(sdk|exporter|resources)', '^src/observability/tracing/'],
      ['sharp|@hyzyla/pdfium|yauzl|postal-mime', '^src/content/'],
      ['onnxruntime-node', '^src/recognition/'],
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
