// Writes dist/sbom.json: the packages that the product is made of, as CycloneDX. From the lockfile:
// `npm sbom --omit dev` leaves out packages that development needs as well.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Lockfile, toSbom } from './sbom.ts';

const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const product = read<{ name: string; version: string }>('package.json');
const sbom = toSbom(product, read<Lockfile>('package-lock.json'));
mkdirSync('dist', { recursive: true });
writeFileSync('dist/sbom.json', `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`dist/sbom.json: ${sbom.components.length} packages`);
