import type { SecurityEventKind } from '@longshore/contract';
import type { Context } from 'hono';
import type { Database } from '../db/database.ts';
import { clientOf } from '../http/client.ts';

export type AuthEvent = {
  kind: SecurityEventKind;
  userId?: string | undefined;
  /** Must not contain secrets. */
  details?: Record<string, string>;
};

/** Records a security event with its origin. If that fails, the request fails: no event goes unrecorded. */
export type Audit = (context: Context, event: AuthEvent) => Promise<void>;

export function createAudit(db: Database): Audit {
  return async (context, { kind, userId, details = {} }) => {
    const { address, userAgent } = clientOf(context);
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
