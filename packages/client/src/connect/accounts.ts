import { connectPath, isConnectedAccount, isOauthTicket } from '@longshore/contract';
import type { CallDeps } from '../setup/call.ts';
import { askConnect } from './ask-connect.ts';
import type { Accounts } from './connect.ts';
import { only } from './decode-answer.ts';

export function createAccounts(deps: CallDeps): Accounts {
  const connect = (path: string, body: unknown) =>
    askConnect(deps, { path, method: 'POST', body, decode: only(isConnectedAccount) });

  return {
    oauthTicket: (provider) =>
      askConnect(deps, {
        path: connectPath('oauthTickets', {}),
        method: 'POST',
        body: { provider },
        decode: only(isOauthTicket),
      }),
    connectToken: (account) => connect(connectPath('connectToken', {}), account),
    connectDockerHub: ({ username, password }) =>
      connect(connectPath('connectDockerHub', {}), { username, password }),
    connectRegistry: ({ host, username, password }) =>
      connect(connectPath('connectRegistry', {}), { host, username, password }),
    deleteIntegration: (id, { isForced = false } = {}) =>
      askConnect(deps, {
        path: connectPath('integration', { id }) + (isForced ? '?force=true' : ''),
        method: 'DELETE',
        decode: () => 'deleted' as const,
      }),
  };
}
