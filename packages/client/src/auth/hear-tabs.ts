import type { TabChannel } from '../ports.ts';
import type { AuthActor } from './machine/auth-actor.ts';
import type { AuthEvent } from './machine/auth-model.ts';
import { decodeTabMessage, type TabMessage } from './tab-message.ts';

/** Tells the machine what other tabs say; answers how to stop. */
export function hearTabs(channel: TabChannel | undefined, actor: AuthActor): () => void {
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
