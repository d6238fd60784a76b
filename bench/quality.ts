// Reads the shared receipts, then extracts from what was read: one table after the other.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
const transcriptions = join(directory, 'transcriptions.jsonl');
const run = (script: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawnSync('tsx', [path, ...args], { stdio: 'inherit' }).status ?? 1;
};
try {
  process.exitCode =
    run('ocr.ts', '--save', transcriptions, ...process.argv.slice(2)) ||
    run('fields.ts', '--transcriptions', transcriptions);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
