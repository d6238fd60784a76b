import { z } from 'zod';
import type { Position } from '../db/events.ts';

/** Serializes a position in the event log as the cursor that callers receive. */
export function positionText({ xid, id }: Position): string {
  return `${xid}-${id}`;
}

export const cursorSchema = z
  .string()
  .regex(/^\d{1,19}-\d{1,15}$/, 'is not a valid event cursor')
  .transform((text): Position => {
    const [xid = '0', id = '0'] = text.split('-');
    return { xid, id: Number(id) };
  });
