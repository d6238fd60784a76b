import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { ExportedMetric } from './metrics.ts';

/** Problems with a query: syntax errors, and metrics or labels that are not exported. */
export function problemsOf(query: string, exported: readonly ExportedMetric[]): string[] {
  const { topNode } = parser.parse(query);
  const text = ({ from, to }: SyntaxNode) => query.slice(from, to);
  const broken = all(topNode, (node) => node.type.isError);
  if (broken.length > 0)
    return [`no PromQL at ${broken.map(({ from }) => from).join(', ')}: ${query}`];
  const selectors = named(topNode, 'VectorSelector');
  if (selectors.length === 0) return [`names no metric: ${query}`];
  const problems: string[] = [];
  const labels = new Set<string>();
  for (const selector of selectors) {
    const name = named(selector, 'Identifier').map(text).join();
    const metric = find(name, exported);
    if (!metric) problems.push(`no such metric: ${name}`);
    for (const label of [...(metric?.labels ?? []), ...(name.endsWith('_bucket') ? ['le'] : [])])
      labels.add(label);
    for (const label of named(selector, 'LabelName').map(text))
      if (metric && !metric.labels.includes(label)) problems.push(`${name} has no label ${label}`);
    if (metric && metric.type !== 'gauge' && selector.parent?.name !== 'MatrixSelector')
      problems.push(`${name} only ever grows: ask for its rate or increase`);
  }
  const grouping = named(topNode, 'GroupingLabels').flatMap((node) =>
    named(node, 'LabelName').map(text),
  );
  for (const label of grouping)
    if (!labels.has(label))
      problems.push(`no metric of the query has the label ${label}: ${query}`);
  return problems;
}

const named = (within: SyntaxNode, name: string) => all(within, (node) => node.name === name);

function all(within: SyntaxNode, fits: (node: SyntaxNode) => boolean): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  within.cursor().iterate(({ node }) => {
    if (fits(node)) found.push(node);
  });
  return found;
}

function find(name: string, exported: readonly ExportedMetric[]): ExportedMetric | undefined {
  return exported.find((metric) => {
    const suffixes = metric.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.some((suffix) => metric.name + suffix === name);
  });
}
