// Takes the samples through all queues on the embedded services and tells what to try next.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = `${root}bin/millrace.js`;

console.log(
  '\nEight documents, five queues, no keys, nothing configured: everything runs on this machine.\n',
);
const { status, signal } = spawnSync(process.execPath, [cli, 'run', 'samples'], {
  cwd: root,
  stdio: 'inherit',
});
if (signal) process.kill(process.pid, signal);
// 3 = some documents failed: broken.pdf is meant to, and its reason is in the table.
if (status !== 0 && status !== 3) process.exit(status ?? 1);

console.log(`
What happened: each document went through the queues in its "path". poor-scan.png was cleaned and read again;
broken.pdf failed with its reason and stopped nothing else. "review" means that the gate wants a person to look.

Try next:
  npx millrace up                              the API, Bull Board, metrics; prints its address and key
  npx millrace run --json FILE                 your own documents as JSON, one object a line
  npx millrace run --json --include text FILE  with the text that was read
  npx millrace doctor                          the configuration in force, and whether everything works
  npx millrace --help                          the rest
Data is kept in .millrace/; remove that folder to start anew.`);
