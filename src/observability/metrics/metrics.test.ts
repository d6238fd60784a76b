import { expect, test } from 'vitest';
import { type ExportedMetric, exportedMetrics } from '../../../test/kit/metrics.ts';

const own = ({ name }: ExportedMetric) => name.startsWith('millrace_');
const byName = (a: ExportedMetric, b: ExportedMetric) => (a.name < b.name ? -1 : 1);

function table(metrics: ExportedMetric[]): string {
  const rows = metrics
    .toSorted(byName)
    .map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    );
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

test('docs/metrics.md lists every metric; --update writes it anew', async () => {
  const { process, fleet } = await exportedMetrics();
  const text = `# Metrics

The API serves \`/metrics\` in the Prometheus text format. Processes of every role serve it on \`MILLRACE_METRICS_PORT\`. Labels never hold ids.

## Per process

Sum these over all processes.

${table(process.filter(own))}

## Whole installation

Every process with the role api or scheduler reports the same values: take the maximum over processes, not the sum. Metrics whose source (Redis, Postgres)
does not answer in time are missing from that scrape. \`millrace_backlog_seconds\` is the number of due tasks times the mean duration of the stage over the
last day (\`stage_statistics\`), or 1 s per task for a stage that has not run in that time.

${table(fleet)}

## Node.js and the process

The defaults of prom-client: CPU, memory, garbage collection, handles and event loop lag (\`nodejs_eventloop_lag_max_seconds\`: the longest since the last scrape).
`;
  await expect(text).toMatchFileSnapshot('../../../docs/metrics.md');
});

test('labels are few and never ids', async () => {
  const { process, fleet } = await exportedMetrics();
  const labels = new Set([...process.filter(own), ...fleet].flatMap((metric) => metric.labels));
  expect([...labels].filter((label) => /id$|name|document|workspace/i.test(label))).toEqual([]);
});
