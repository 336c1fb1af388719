import type { Context } from 'hono';
import type { Database } from '../db/database.ts';
import { originOf } from './origin.ts';

/** Every security-relevant act of the auth service. */
export type AuthEventKind =
  | 'signed-up'
  | 'signed-in'
  | 'sign-in-refused'
  | 'signed-out'
  | 'signed-out-everywhere'
  | 'session-revoked'
  | 'refresh-token-reused'
  | 'password-changed'
  | 'password-reset-asked'
  | 'verification-mail-asked'
  | 'sign-in-link-asked'
  | 'sign-in-code-asked'
  | 'email-verified'
  | 'email-change-asked'
  | 'email-changed'
  | 'mfa-activated'
  | 'mfa-deactivated'
  | 'mfa-refused'
  | 'security-key-added'
  | 'security-key-removed'
  | 'security-key-cloned'
  | 'elevated'
  | 'access-token-created'
  | 'access-token-revoked'
  | 'provider-linked'
  | 'provider-tokens-taken'
  | 'provider-tokens-refreshed'
  | 'deanonymized';

export type AuthEvent = {
  kind: AuthEventKind;
  userId?: string | undefined;
  /** Never a secret. */
  details?: Record<string, string>;
};

/** Writes an act down, with where it came from. A failure to write fails the act: nothing goes unrecorded. */
export type Audit = (context: Context, event: AuthEvent) => Promise<void>;

export function createAudit(db: Database): Audit {
  return async (context, { kind, userId, details = {} }) => {
    const { address, userAgent } = originOf(context);
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
