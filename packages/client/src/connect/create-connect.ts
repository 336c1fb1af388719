import {
  connectPath,
  decodeBranches,
  decodeDeliveries,
  decodeRefs,
  decodeRepositories,
  decodeTags,
  isConnectedAccount,
  isDelivery,
  isDeployHook,
  isOauthTicket,
  isRepository,
  isWebhook,
} from '@longshore/contract';
import type { CallDeps } from '../http/call.ts';
import type { Accounts, Connect, Repositories, Webhooks } from './connect.ts';
import { connectRequest, only, orEmpty } from './connect-request.ts';

export function createConnect(deps: CallDeps): Connect {
  return { ...createAccounts(deps), ...createRepositories(deps), ...createWebhooks(deps) };
}

function createAccounts(deps: CallDeps): Accounts {
  const connect = (path: string, body: unknown) =>
    connectRequest(deps, { path, method: 'POST', body, decode: only(isConnectedAccount) });

  return {
    oauthTicket: (provider) =>
      connectRequest(deps, {
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
      connectRequest(deps, {
        path: connectPath('integration', { id }) + (isForced ? '?force=true' : ''),
        method: 'DELETE',
        decode: () => 'deleted' as const,
      }),
  };
}

function createRepositories(deps: CallDeps): Repositories {
  return {
    repositories: (id, { search = '', ...options } = {}) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('repositories', { id }) + searchQuery(search),
        decode: orEmpty({ repositories: [], isCut: false }, decodeRepositories),
      }),
    validateRepository: (id, name, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('validateRepository', { id }),
        method: 'POST',
        body: { repo_name: name },
        decode: only(isRepository),
      }),
    branches: (id, repo, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('branches', { id, repo }),
        decode: orEmpty({ branches: [], isCut: false }, decodeBranches),
      }),
    refs: (id, { repository: repo, branch }, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('refs', { id, repo, branch }),
        decode: orEmpty([], decodeRefs),
      }),
    tags: (id, repo, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('tags', { id, repo }),
        decode: orEmpty({ tags: [], isCut: false }, decodeTags),
      }),
  };
}

function searchQuery(search: string): string {
  return search === '' ? '' : `?${new URLSearchParams({ search })}`;
}

function createWebhooks(deps: CallDeps): Webhooks {
  return {
    webhook: (appId, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('webhook', { appId }),
        decode: only(isWebhook),
      }),
    switchWebhook: (appId, isEnabled) =>
      connectRequest(deps, {
        path: connectPath('webhook', { appId }),
        method: 'POST',
        body: { enabled: isEnabled },
        decode: only(isWebhook),
      }),
    deliveries: (appId, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('deliveries', { appId }),
        decode: orEmpty([], decodeDeliveries),
      }),
    replayDelivery: (appId, id) =>
      connectRequest(deps, {
        path: connectPath('replayDelivery', { appId, id }),
        method: 'POST',
        decode: only(isDelivery),
      }),
    deployHook: (appId, options) =>
      connectRequest(deps, {
        ...options,
        path: connectPath('deployHook', { appId }),
        decode: only(isDeployHook),
      }),
    createDeployHook: (appId) =>
      connectRequest(deps, {
        path: connectPath('deployHook', { appId }),
        method: 'POST',
        decode: only(isDeployHook),
      }),
    removeDeployHook: (appId) =>
      connectRequest(deps, {
        path: connectPath('deployHook', { appId }),
        method: 'DELETE',
        decode: only(isDeployHook),
      }),
  };
}
