import { posix } from 'node:path';
import { attribute, walkXml } from '../xml/walk-xml.ts';
import type { ZipParts } from './zip-parts.ts';

export interface Relationship {
  id: string;
  /** Last segment of its type: `header`, `comments`, `chart`. */
  type: string;
  /** Name of the part, without a leading slash. */
  target: string;
}

const maxRelationships = 100_000;

/** Relationships of a part to other parts. Links that lead out of the package are left out. */
export async function readRelationships(parts: ZipParts, part: string): Promise<Relationship[]> {
  const { dir, base } = posix.parse(part);
  const found: Relationship[] = [];
  await walkXml(parts.read(posix.join(dir, '_rels', `${base}.rels`)), {
    open(name, attributes) {
      if (name !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return;
      const target = attribute(attributes, 'Target') ?? '';
      if (target === '' || found.length >= maxRelationships) return;
      found.push({
        id: attribute(attributes, 'Id') ?? '',
        type: posix.basename(attribute(attributes, 'Type') ?? ''),
        target: resolve(dir, target),
      });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return found;
}

function resolve(directory: string, target: string): string {
  const path = target.replaceAll('\\', '/').replace(/#.*$/, '');
  return posix.join('/', path.startsWith('/') ? '' : directory, decode(path)).slice(1);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function ofType(relationships: readonly Relationship[], type: string): string[] {
  return relationships.filter((relationship) => relationship.type === type).map((r) => r.target);
}
