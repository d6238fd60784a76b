import type { Share } from '../domain/sandbox-share.ts';
import { currentOwner } from '../lib/run-owner.ts';

/**
 * Work with the same key may use the same process. A parser that was taken over by a document sees
 * only what other work with its key hands to it.
 */
export function shareKey(share: Share): string {
  const owner = currentOwner();
  if (share === 'all' || owner === undefined) return share;
  return share === 'none' ? owner.taskId : (owner.workspaceId ?? owner.taskId);
}
