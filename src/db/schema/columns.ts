import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A point in time by the database's clock. */
export const at = (name: string) => timestamp(name, { withTimezone: true });

export const createdAt = () => at('created_at').notNull().default(sql`now()`);

/** The 64-bit id of a transaction, which never wraps around. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });
