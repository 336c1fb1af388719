import { isRecord } from '@longshore/contract';
import type { HeldSession } from './held-session.ts';

/** What tabs tell each other. The whole session travels, so that one refresh serves them all. */
export type TabMessage =
  | { type: 'session'; session: HeldSession }
  | { type: 'signed-out' }
  /** From builds that hand over the token alone: whoever gets it refreshes with it. Spec §4. */
  | { type: 'token'; refreshToken: string };

/** A tab may run an older build: what is not understood is left alone. */
export function decodeTabMessage(message: unknown): TabMessage | undefined {
  if (!isRecord(message)) return undefined;
  if (message.type === 'signed-out') return { type: 'signed-out' };
  if (message.type === 'token' && typeof message.refreshToken === 'string') {
    return { type: 'token', refreshToken: message.refreshToken };
  }
  if (message.type !== 'session' || !isHeldSession(message.session)) return undefined;
  return { type: 'session', session: message.session };
}

function isHeldSession(value: unknown): value is HeldSession {
  return (
    isRecord(value) &&
    isRecord(value.user) &&
    typeof value.user.id === 'string' &&
    typeof value.accessToken === 'string' &&
    typeof value.expiresAt === 'number' &&
    typeof value.lifetimeSeconds === 'number' &&
    typeof value.refreshToken === 'string' &&
    typeof value.refreshTokenId === 'string' &&
    typeof value.isPersonalAccessToken === 'boolean'
  );
}
