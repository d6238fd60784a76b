import type { Lane } from '../../domain/lane.ts';
import type { Announcement } from '../task/task.ts';
import type { Queues } from './queues.ts';

/** A task whose hint is to be given, as a statement returns it. */
export interface UnannouncedTask {
  id: string;
  epoch: number;
  stage: string;
  lane: Lane;
  suspect: boolean;
}

export function toAnnouncement({ id, ...place }: UnannouncedTask): Announcement {
  return { taskId: id, ...place };
}

/** While versions change, a task may be of a stage that only a newer process knows: it is left to that one. */
export function knownStages({ byStage }: Queues): string[] {
  return [...byStage.keys()];
}
