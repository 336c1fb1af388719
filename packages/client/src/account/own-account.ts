import {
  AUTH_PATHS,
  isActiveSession,
  isPersonalAccessToken,
  isRecord,
  isSecurityEvent,
  isSecurityKey,
  isUser,
} from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { OwnAccount } from './account.ts';
import { done, readAnswer, readList } from './answer.ts';
import type { AsUser } from './as-user.ts';
import { pathTo } from './path-to.ts';

export type OwnAccountDeps = { asUser: AsUser; auth: Pick<Auth, 'adoptUser'> };

/** What people see of their own account, and end. */
export function createOwnAccount({ asUser, auth }: OwnAccountDeps): OwnAccount {
  const list =
    <Value>(path: string, name: string, isExpected: (value: unknown) => value is Value) =>
    async () =>
      readList(await asUser.get(path), name, isExpected);
  const remove = (path: string) => async (id: string) =>
    done(await asUser.delete(pathTo(path, id)));

  return {
    async currentUser() {
      const answer = readAnswer(await asUser.get(AUTH_PATHS.user), isUser);
      if (answer.ok) auth.adoptUser(answer.data);
      return answer;
    },
    listSessions: list(AUTH_PATHS.sessions, 'sessions', isActiveSession),
    revokeSession: remove(AUTH_PATHS.session),
    listSecurityEvents: list(AUTH_PATHS.events, 'events', isSecurityEvent),
    listSecurityKeys: list(AUTH_PATHS.securityKeys, 'securityKeys', isSecurityKey),
    removeSecurityKey: remove(AUTH_PATHS.securityKey),
    async createPersonalAccessToken({ expiresAt, metadata }) {
      const body = { expiresAt: expiresAt.toISOString(), metadata };
      return readAnswer(await asUser.post(AUTH_PATHS.createPat, body), isNewPersonalAccessToken);
    },
    listPersonalAccessTokens: list(AUTH_PATHS.pats, 'personalAccessTokens', isPersonalAccessToken),
    revokePersonalAccessToken: remove(AUTH_PATHS.pat),
  };
}

/** Spec §3, Other authentication payloads. */
function isNewPersonalAccessToken(
  body: unknown,
): body is { id: string; personalAccessToken: string } {
  return (
    isRecord(body) && typeof body.id === 'string' && typeof body.personalAccessToken === 'string'
  );
}
