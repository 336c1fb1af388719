import type {
  ActiveSession,
  PersonalAccessToken,
  SecurityEvent,
  SecurityKey,
} from '@longshore/contract';
import type { AccountAnswer, AccountPort } from '../src/backend/account-port.ts';
import type { AuthState } from '../src/backend/backend.ts';
import type { Source } from '../src/lib/observable.ts';
import { aUser } from './resources.ts';

const AT = '2025-01-01T00:00:00Z';

/** Takes this code and no other. */
export const FAKE_CODE = '123456';

/** An account in memory, unless `refusal` has something to say. */
export function createFakeAccount(refusal: () => string | undefined, auth: Source<AuthState>) {
  const keys: SecurityKey[] = [];
  const tokens: PersonalAccessToken[] = [];
  const sessions: ActiveSession[] = [];
  const events: SecurityEvent[] = [];

  async function unlessRefused<Value>(act: () => Value): Promise<AccountAnswer<Value>> {
    const message = refusal();
    return message === undefined ? { ok: true, value: act() } : { ok: false, message };
  }
  async function withCode(code: string, activeMfaType: 'totp' | null) {
    if (code !== FAKE_CODE) return { ok: false as const, message: 'Wrong code' };
    auth.set({ kind: 'signed-in', user: aUser({ activeMfaType }) });
    return { ok: true as const, value: undefined };
  }

  const port: AccountPort = {
    currentUser: () => unlessRefused(() => aUser()),
    listSecurityKeys: () => unlessRefused(() => [...keys]),
    addSecurityKey: (nickname) =>
      unlessRefused(() => {
        keys.push({ id: nickname, nickname, createdAt: AT });
        return undefined;
      }),
    removeSecurityKey: (id) => unlessRefused(() => remove(keys, id)),
    generateTotp: () =>
      unlessRefused(() => ({ imageUrl: 'data:image/png;base64,AA==', totpSecret: 'ABCDEFGH' })),
    activateTotp: (code) => withCode(code, 'totp'),
    deactivateTotp: (code) => withCode(code, null),
    listTokens: () => unlessRefused(() => [...tokens]),
    createToken: ({ name, expiresAt }) =>
      unlessRefused(() => {
        const times = { createdAt: AT, lastUsedAt: null, expiresAt: expiresAt.toISOString() };
        tokens.push({ id: name, metadata: { name }, ...times });
        return `token of ${name}`;
      }),
    revokeToken: (id) => unlessRefused(() => remove(tokens, id)),
    listSessions: () => unlessRefused(() => [...sessions]),
    revokeSession: (id) => unlessRefused(() => remove(sessions, id)),
    listSecurityEvents: () => unlessRefused(() => [...events]),
  };
  return { port, keys, tokens, sessions, events };
}

function remove(rows: { id: string }[], id: string): undefined {
  rows.splice(
    rows.findIndex((row) => row.id === id),
    1,
  );
}
