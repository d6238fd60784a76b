import { z } from 'zod';
import type { Position } from '../db/events.ts';

/** A place in the log of events, as callers carry it around. */
export function positionText({ xid, id }: Position): string {
  return `${xid}-${id}`;
}

export const cursorSchema = z
  .string()
  .regex(/^\d{1,19}-\d{1,15}$/, 'is not a position that was given out')
  .transform((text): Position => {
    const [xid = '0', id = '0'] = text.split('-');
    return { xid, id: Number(id) };
  });
