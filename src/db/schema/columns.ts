import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A timestamp by the database's clock. */
export const at = (name: string) => timestamp(name, { withTimezone: true });

export const createdAt = () => at('created_at').notNull().default(sql`now()`);

/** A 64-bit transaction id, which never wraps around. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });
