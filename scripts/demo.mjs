// Runs the samples through all queues on the embedded services and suggests next steps.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = `${root}bin/millrace.js`;

console.log(
  '\nEight documents, five queues, no keys, no configuration. Everything runs on this machine.\n',
);
const { status, signal } = spawnSync(process.execPath, [cli, 'run', 'samples'], {
  cwd: root,
  stdio: 'inherit',
});
if (signal) process.kill(process.pid, signal);
// 3 = some documents failed. broken.pdf is meant to fail; the table shows its reason.
if (status !== 0 && status !== 3) process.exit(status ?? 1);

console.log(`
What happened: each document went through the queues in its "path". poor-scan.png was cleaned and
read again. broken.pdf failed without affecting the others; the table shows why. "review" means that
a person should check the values.

Try next:
  npx millrace up                              web console, API, Bull Board; prints its address and key
  npx millrace run --json FILE                 your own documents as JSON, one object per line
  npx millrace run --json --include text FILE  the same, with the recognised text
  npx millrace doctor                          the active configuration and its health
  npx millrace --help                          all commands
Data is stored in .millrace/. Delete that folder to start from scratch.`);
