import type { ExportedMetric } from './metrics.ts';

/** What is wrong with the metrics and labels that a query names, as far as text alone can tell. */
export function problemsOf(query: string, exported: readonly ExportedMetric[]): string[] {
  const selectors = [...query.matchAll(/\b((?:millrace|nodejs|process)_[a-z0-9_]+)\b(?:\{([^}]*)\})?/g)];
  if (selectors.length === 0) return [`names no metric: ${query}`];
  const problems: string[] = [];
  const labels = new Set<string>();
  for (const [, name = '', matchers = ''] of selectors) {
    const metric = find(name, exported);
    if (!metric) problems.push(`no such metric: ${name}`);
    for (const label of [...(metric?.labels ?? []), ...(name.endsWith('_bucket') ? ['le'] : [])]) labels.add(label);
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (metric && !metric.labels.includes(label)) problems.push(`${name} has no label ${label}`);
  }
  for (const [, list = ''] of query.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g))
    for (const label of list.split(',').map((part) => part.trim()))
      if (!labels.has(label)) problems.push(`no metric of the query has the label ${label}: ${query}`);
  return problems;
}

function find(name: string, exported: readonly ExportedMetric[]): ExportedMetric | undefined {
  return exported.find((metric) => {
    const suffixes = metric.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.some((suffix) => metric.name + suffix === name);
  });
}
