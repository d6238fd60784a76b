import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const folder = fileURLToPath(new URL('../../deploy/helm/millrace', import.meta.url));
const program = fileURLToPath(new URL('render-chart.go', import.meta.url));
/** Where Debian installs the sources of Go libraries. */
const environment = {
  ...process.env,
  GOPATH: '/usr/share/gocode',
  GO111MODULE: 'off',
  GOFLAGS: '',
};

const file = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
const rendered = z.record(z.string(), z.string());

export const templates: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(`${folder}/templates`).map((name) => [name, file(`templates/${name}`)]),
);
export const values: unknown = parse(file('values.yaml'));

/** Whether Go and sprig, which Helm uses for rendering, are installed. */
export const canRender =
  spawnSync('go', ['list', 'github.com/Masterminds/sprig'], { env: environment }).status === 0;

/** Renders the chart with its default values and these changes. */
export function renderChart(changes: Record<string, unknown> = {}): unknown[] {
  const chart = z
    .object({ name: z.string(), version: z.string(), appVersion: z.string() })
    .parse(parse(file('Chart.yaml')));
  const context = {
    Values: { ...z.looseObject({}).parse(values), ...changes },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Release: { Name: 'mill', Namespace: 'default', Service: 'Helm' },
  };
  const output = execFileSync('go', ['run', program], {
    env: environment,
    input: JSON.stringify({ templates, context }),
    encoding: 'utf8',
  });
  return Object.values(rendered.parse(JSON.parse(output))).flatMap((text) =>
    parseAllDocuments(text).map((document) => {
      if ('errors' in document && document.errors[0]) throw document.errors[0];
      return document.toJS();
    }),
  );
}
