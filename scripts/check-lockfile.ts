// Fails if a package in a lockfile has no integrity hash: npm would then install whatever the
// registry returns.
import { readFileSync } from 'node:fs';

interface Lockfile {
  packages: Record<string, { integrity?: string; link?: boolean }>;
}

const lockfiles = ['package-lock.json', 'bench/package-lock.json', 'sdk/package-lock.json'];
const problems = lockfiles.flatMap((file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
  const unlocked = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path !== '' && !link && integrity === undefined,
  );
  return unlocked.map(([path]) => `${file}: ${path} has no integrity hash`);
});

for (const problem of problems.slice(0, 20)) console.error(problem);
if (problems.length > 0) {
  console.error(
    `${problems.length} packages have no integrity hash. Delete the lockfile and node_modules, then run: npm install --package-lock-only`,
  );
  process.exitCode = 1;
}
