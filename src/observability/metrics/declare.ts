import client, { type Registry } from 'prom-client';

export type Declare = ReturnType<typeof declareIn>;

/** How metrics of a registry are declared: name, what it tells, labels. */
export function declareIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new client.Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new client.Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ) => new client.Histogram({ name, help, labelNames, buckets, registers }),
  };
}
