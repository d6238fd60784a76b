export interface LockedPackage {
  version?: string;
  integrity?: string;
  license?: string;
  /** Needed for development only. */
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
}

export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

/** A bill of materials in the format CycloneDX 1.5. The same lockfile always gives the same text. */
export function toSbom(product: { name: string; version: string }, { packages }: Lockfile) {
  const used = Object.entries(packages).filter(([path, { dev, link }]) => path && !dev && !link);
  const components = used.map(([path, locked]) => toComponent(path, locked));
  const unique = new Map(components.map((component) => [component['bom-ref'], component]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `${product.name}@${product.version}`,
        name: product.name,
        version: product.version,
      },
    },
    components: [...unique.values()],
  };
}

function toComponent(path: string, { version, integrity, license, optional }: LockedPackage) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [, hash] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  if (!version || !hash) throw new Error(`${path} has no version or no hash in the lockfile`);
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    ...(license && { licenses: [{ expression: license }] }),
  };
}
