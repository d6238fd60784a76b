import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { apiKeys } from './api-keys.ts';
import { at, createdAt } from './columns.ts';

/** Browser sessions started with a key. Only the hash of the token is stored. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [index('sessions_expiry').on(table.expiresAt)],
);
