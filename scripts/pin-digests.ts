// Prints every image and action that is not pinned by digest, with the command that finds the
// digest. `npm run pins -- FILE` reads lines of `name digest` and writes them into the files.
import { readFileSync, writeFileSync } from 'node:fs';
import { applyPins, findUnpinned, parsePins } from './pins.ts';

const files = ['Dockerfile', 'docker-compose.yml', '.github/workflows/ci.yml'];
const [given] = process.argv.slice(2);
if (given) {
  const pins = parsePins(readFileSync(given, 'utf8'));
  for (const file of files) writeFileSync(file, applyPins(readFileSync(file, 'utf8'), pins));
}
const unpinned = files.flatMap((file) =>
  findUnpinned(readFileSync(file, 'utf8')).map((name) => ({ file, name })),
);
for (const { file, name } of unpinned) {
  const [action, tag] = name.split('@');
  const command = tag
    ? `git ls-remote https://github.com/${action} refs/tags/${tag}`
    : `docker buildx imagetools inspect ${name} --format '{{.Manifest.Digest}}'`;
  console.log(`${file}: ${name}    ${command}`);
}
