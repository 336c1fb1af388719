import type { SecurityEventKind } from '@longshore/contract';
import type { Context } from 'hono';
import type { Database } from '../db/database.ts';
import { clientOf } from '../http/client.ts';
import { addressKey } from '../rate-limits/address-key.ts';
import type { OpenBuckets } from '../rate-limits/buckets.ts';
import type { Limit } from '../rate-limits/token-bucket.ts';

export type AuthEvent = {
  kind: SecurityEventKind;
  userId?: string | undefined;
  /** Must not contain secrets. */
  details?: Record<string, string>;
};

/** Events of no account, per address. More say nothing new, and wrong tokens must not fill the database. */
const EVENTS_WITHOUT_ACCOUNT: Limit = { capacity: 300, windowMs: 5 * 60_000 };

/** Records a security event with its origin. If that fails, the request fails: no event of an account goes unrecorded. */
export type Audit = (context: Context, event: AuthEvent) => Promise<void>;

export function createAudit(db: Database, openBuckets: OpenBuckets): Audit {
  const withoutAccount = openBuckets('events without account');
  return async (context, { kind, userId, details = {} }) => {
    const { address, userAgent } = clientOf(context);
    const key = addressKey(address ?? 'in memory');
    if (userId === undefined) {
      const { isAllowed } = await withoutAccount.take(key, EVENTS_WITHOUT_ACCOUNT);
      if (!isAllowed) return;
    }
    await db
      .insertInto('auth.events')
      .values({
        kind,
        user_id: userId ?? null,
        address: address ?? null,
        user_agent: userAgent ?? null,
        details: JSON.stringify(details),
      })
      .execute();
  };
}
