import { mkdir, writeFile } from 'node:fs/promises';
import { samples } from './samples/index.ts';

const directory = new URL('../samples/', import.meta.url);
await mkdir(directory, { recursive: true });
for (const [name, make] of Object.entries(samples)) {
  const bytes = await make();
  await writeFile(new URL(name, directory), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
