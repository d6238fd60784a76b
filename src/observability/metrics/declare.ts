import client, { type Registry } from 'prom-client';

export type Declare = ReturnType<typeof declareIn>;

/** Functions that declare metrics in a registry: name, help text, labels. */
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
