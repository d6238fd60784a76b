// Writes the generated files of sdk/ from the description of the API.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { description, routesFile, routesText, typesFile, typesHeader } from './sdk-files.ts';

const generator = 'sdk/node_modules/openapi-typescript/bin/cli.js';
// Members with a default may be left out of a request.
const options = ['--default-non-nullable', 'false'];

if (existsSync(generator)) {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-sdk-'));
  const [input, output] = [join(directory, 'openapi.json'), join(directory, 'api.ts')];
  try {
    writeFileSync(input, JSON.stringify(description));
    execFileSync(process.execPath, [generator, input, ...options, '--output', output], {
      stdio: 'inherit',
    });
    mkdirSync('sdk/src/generated', { recursive: true });
    writeFileSync(typesFile, typesHeader() + readFileSync(output, 'utf8'));
    writeFileSync(routesFile, routesText());
  } finally {
    rmSync(directory, { recursive: true });
  }
} else {
  console.error('The generator is not installed. Run: npm ci --prefix sdk');
  process.exitCode = 1;
}
