import client, { type Registry } from 'prom-client';
import { z } from 'zod';
import { declareGauges } from '../../src/engine/fleet/gauges.ts';
import { createMetrics } from '../../src/observability/metrics/index.ts';

export interface ExportedMetric {
  name: string;
  type: string;
  labels: string[];
  help: string;
}

const labelled = z.looseObject({ labelNames: z.array(z.string()).default([]) });

/** Every metric declared in the code: those of a process and those of the whole installation. */
export async function exportedMetrics(): Promise<{
  process: ExportedMetric[];
  fleet: ExportedMetric[];
}> {
  const fleet = new client.Registry();
  declareGauges(fleet);
  return { process: await metricsOf(createMetrics().registry), fleet: await metricsOf(fleet) };
}

async function metricsOf(registry: Registry): Promise<ExportedMetric[]> {
  const all = await registry.getMetricsAsJSON();
  return all.map(({ name, help, type }) => {
    const { labelNames } = labelled.parse(registry.getSingleMetric(name));
    return { name, help, type: String(type), labels: labelNames };
  });
}
