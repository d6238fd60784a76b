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

\`/metrics\` of the API, and of processes of any role on \`MILLRACE_METRICS_PORT\`, in the Prometheus text format. Labels are few: never an id.

## Of each process

Sum these over processes.

${table(process.filter(own))}

## Of the whole installation

Told by processes with the role api or scheduler, all of which tell the same: take the maximum over processes, not the sum. What does not
answer in time (Redis, Postgres) is left out of a scrape. \`millrace_backlog_seconds\` is the number of due tasks times the mean duration of the stage
over the last day (\`stage_statistics\`), or 1 s a task for a stage that has not run in that time.

${table(fleet)}

## Of Node.js and the process

The defaults of prom-client: CPU, memory, garbage collection, handles, and the lag of the event loop (\`nodejs_eventloop_lag_p99_seconds\`).
`;
  await expect(text).toMatchFileSnapshot('../../docs/metrics.md');
});

test('labels are few and never ids', async () => {
  const { process, fleet } = await exportedMetrics();
  const labels = new Set([...process.filter(own), ...fleet].flatMap((metric) => metric.labels));
  expect([...labels].filter((label) => /id$|name|document|workspace/i.test(label))).toEqual([]);
});
