import { createHash } from 'node:crypto';

/** The id of an entry of a container: deterministic, and ordered by time like the container's. */
export function childId(containerId: string, position: number): string {
  const hash = createHash('sha256').update(`${containerId}/${position}`).digest('hex');
  return `${containerId.slice(0, 14)}7${hash.slice(0, 3)}-a${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
