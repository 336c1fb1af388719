import {
  AUTH_PATHS,
  isActiveSession,
  isNewRecoveryCodes,
  isPersonalAccessToken,
  isRecord,
  isRecoveryCodesLeft,
  isSecurityEvent,
  isSecurityKey,
  isTotpSecret,
  isUser,
} from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { AccountSettings } from './account.ts';
import { fillPath } from './fill-path.ts';
import { readData, readList, withoutData } from './read-response.ts';
import type { UserRequests } from './user-requests.ts';

export type AccountSettingsDeps = { userRequests: UserRequests; auth: Pick<Auth, 'updateUser'> };

/** The user's profile, sessions, keys, tokens, second factor and security events. */
export function createAccountSettings(deps: AccountSettingsDeps): AccountSettings {
  const { userRequests, auth } = deps;
  const list =
    <Row>(path: string, name: string, isExpected: (value: unknown) => value is Row) =>
    async () =>
      readList(await userRequests.get(path), name, isExpected);
  const remove = (path: string) => async (id: string) =>
    withoutData(await userRequests.delete(fillPath(path, id)));
  const changeMfa = (activeMfaType: 'totp' | '') => async (code: string) =>
    withoutData(await userRequests.post(AUTH_PATHS.changeMfa, { code, activeMfaType }));

  return {
    async currentUser() {
      const result = readData(await userRequests.get(AUTH_PATHS.user), isUser);
      if (result.ok) auth.updateUser(result.data);
      return result;
    },
    listSessions: list(AUTH_PATHS.sessions, 'sessions', isActiveSession),
    revokeSession: remove(AUTH_PATHS.session),
    listSecurityEvents: list(AUTH_PATHS.events, 'events', isSecurityEvent),
    listSecurityKeys: list(AUTH_PATHS.securityKeys, 'securityKeys', isSecurityKey),
    removeSecurityKey: remove(AUTH_PATHS.securityKey),
    async createPersonalAccessToken({ expiresAt, metadata }) {
      const body = { expiresAt: expiresAt.toISOString(), metadata };
      const response = await userRequests.post(AUTH_PATHS.createPat, body);
      return readData(response, isNewPersonalAccessToken);
    },
    listPersonalAccessTokens: list(AUTH_PATHS.pats, 'personalAccessTokens', isPersonalAccessToken),
    revokePersonalAccessToken: remove(AUTH_PATHS.pat),
    async generateTotp() {
      return readData(await userRequests.get(AUTH_PATHS.generateTotp), isTotpSecret);
    },
    activateTotp: changeMfa('totp'),
    deactivateTotp: changeMfa(''),
    async countRecoveryCodes() {
      const result = readData(
        await userRequests.get(AUTH_PATHS.recoveryCodes),
        isRecoveryCodesLeft,
      );
      return result.ok ? { ok: true, data: result.data.left } : result;
    },
    async generateRecoveryCodes(code) {
      const response = await userRequests.post(AUTH_PATHS.generateRecoveryCodes, { code });
      const result = readData(response, isNewRecoveryCodes);
      return result.ok ? { ok: true, data: result.data.recoveryCodes } : result;
    },
  };
}

function isNewPersonalAccessToken(
  body: unknown,
): body is { id: string; personalAccessToken: string } {
  return (
    isRecord(body) && typeof body.id === 'string' && typeof body.personalAccessToken === 'string'
  );
}
