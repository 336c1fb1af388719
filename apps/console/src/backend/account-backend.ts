import type { Account, Answer } from '@longshore/client';
import type { AccountAnswer, AccountPort } from './account-port.ts';

const UNTOLD = 'The server gave no reason';

/** The client's account, with its errors as sentences. */
export function accountPort(account: Account): AccountPort {
  return {
    currentUser: async () => told(await account.currentUser()),
    listSecurityKeys: async () => told(await account.listSecurityKeys()),
    addSecurityKey: async (nickname) => done(await account.addSecurityKey(nickname)),
    removeSecurityKey: async (id) => told(await account.removeSecurityKey(id)),
    generateTotp: async () => told(await account.generateTotp()),
    activateTotp: async (code) => told(await account.activateTotp(code)),
    deactivateTotp: async (code) => told(await account.deactivateTotp(code)),
    listTokens: async () => told(await account.listPersonalAccessTokens()),
    async createToken({ name, expiresAt }) {
      const answer = await account.createPersonalAccessToken({ expiresAt, metadata: { name } });
      return told(answer.ok ? { ok: true, value: answer.value.personalAccessToken } : answer);
    },
    revokeToken: async (id) => told(await account.revokePersonalAccessToken(id)),
    listSessions: async () => told(await account.listSessions()),
    revokeSession: async (id) => told(await account.revokeSession(id)),
    listSecurityEvents: async () => told(await account.listSecurityEvents()),
  };
}

function told<Value>(answer: Answer<Value>): AccountAnswer<Value> {
  return answer.ok ? answer : { ok: false, message: answer.error.message || UNTOLD };
}

function done(answer: Answer<unknown>): AccountAnswer<undefined> {
  return told(answer.ok ? { ok: true, value: undefined } : answer);
}
