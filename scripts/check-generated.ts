// Fails if a generated file is out of date.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { envExample } from '../src/config/example.ts';
import { documentFormats } from '../src/content/documentation.ts';
import { queueNames } from '../src/engine/pipeline/pipeline.ts';
import { pipeline } from '../src/workers/pipeline.ts';
import { routesFile, routesText, typesFile, typesHeader } from './sdk-files.ts';

const problems: string[] = [];

if (readFileSync('.env.example', 'utf8') !== envExample(queueNames(pipeline))) {
  problems.push(
    '.env.example is out of date. Run: npm run --silent millrace -- env > .env.example',
  );
}

if (readFileSync('docs/formats.md', 'utf8') !== documentFormats()) {
  problems.push('docs/formats.md is out of date. Run: npm run formats');
}

// By hash: the generator is not part of this installation.
const isClientCurrent =
  readFileSync(typesFile, 'utf8').startsWith(typesHeader()) &&
  readFileSync(routesFile, 'utf8') === routesText();
if (!isClientCurrent) {
  problems.push(
    'sdk/src/generated does not match the API. Run: npm ci --prefix sdk && npm run sdk',
  );
}

const journal = JSON.parse(readFileSync('drizzle/meta/_journal.json', 'utf8')) as {
  entries: { tag: string; when: number }[];
};
if (journal.entries.some(({ when }, i) => when <= (journal.entries[i - 1]?.when ?? 0))) {
  problems.push(
    'A migration is older than the one before it and would be skipped. Generate it again.',
  );
}
const before = readdirSync('drizzle').join();
execFileSync('npx', ['drizzle-kit', 'generate', '--name', 'drift'], { stdio: 'pipe' });
if (readdirSync('drizzle').join() !== before) {
  problems.push('The schema changed without a migration. Rename and review drizzle/*_drift.sql.');
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
