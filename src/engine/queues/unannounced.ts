import type { Lane } from '../../domain/lane.ts';
import type { Announcement } from '../task/task.ts';
import type { Queues } from './queues.ts';

/** A task to announce, as returned by a statement. */
export interface UnannouncedTask {
  id: string;
  epoch: number;
  stage: string;
  lane: Lane;
  suspect: boolean;
  workspaceId: string | null;
}

export function toAnnouncement({ id, ...place }: UnannouncedTask): Announcement {
  return { taskId: id, ...place };
}

/**
 * During a rolling deployment a task may belong to a stage known only to a newer version; it is
 * left to processes of that version.
 */
export function knownStages({ byStage }: Queues): string[] {
  return [...byStage.keys()];
}
