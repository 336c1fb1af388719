import { isRecord } from '@longshore/contract';
import type { TabChannel } from '../ports.ts';
import type { ClientSession } from './client-session.ts';
import type { AuthActor } from './machine/auth-actor.ts';
import type { AuthEvent } from './machine/auth-model.ts';

/** Messages between tabs. The whole session is sent, so that one refresh serves all tabs. */
export type TabMessage =
  | { type: 'session'; session: ClientSession }
  | { type: 'signed-out' }
  /** Sent by builds that send only the refresh token; the receiver refreshes with it (spec-map 4.1.23). */
  | { type: 'token'; refreshToken: string };

/** Forwards the messages of other tabs to the auth machine. Returns the function that stops it. */
export function forwardTabMessages(channel: TabChannel | undefined, actor: AuthActor): () => void {
  const stop = channel?.listen((message) => {
    const decoded = decodeTabMessage(message);
    if (decoded !== undefined) actor.send(eventOf(decoded));
  });
  return () => stop?.();
}

function eventOf(message: TabMessage): AuthEvent {
  switch (message.type) {
    case 'session':
      return { type: 'SESSION_FROM_TAB', session: message.session };
    case 'token':
      return { type: 'TRY_TOKEN', refreshToken: message.refreshToken };
    case 'signed-out':
      return { type: 'SIGN_OUT_FROM_TAB' };
  }
}

/** Ignores unknown messages: a tab may run another build. */
export function decodeTabMessage(message: unknown): TabMessage | undefined {
  if (!isRecord(message)) return undefined;
  if (message.type === 'signed-out') return { type: 'signed-out' };
  if (message.type === 'token' && typeof message.refreshToken === 'string') {
    return { type: 'token', refreshToken: message.refreshToken };
  }
  if (message.type !== 'session' || !isClientSession(message.session)) return undefined;
  return { type: 'session', session: message.session };
}

function isClientSession(value: unknown): value is ClientSession {
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
