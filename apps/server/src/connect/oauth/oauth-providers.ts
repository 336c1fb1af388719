import { connectPath, type GitProviderName, SERVICE_PATHS } from '@longshore/contract';
import type { OauthClient } from '../providers/git-provider.ts';

/** A code host at which the operator registered Longshore as an OAuth client. */
export type OauthProvider = OauthClient & {
  name: OauthProviderName;
  /** Without a slash at the end. */
  url: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  scope: string;
};

export type OauthProviderName = 'github' | 'gitlab';

export type OauthClients = Partial<Record<OauthProviderName, OauthClient & { url: string }>>;

export type OauthProviders = {
  find(name: string): OauthProvider | undefined;
  /** The client that tokens of this host were issued to. */
  at(name: GitProviderName, url: string): OauthProvider | undefined;
};

/**
 * GitLab's scope `api` includes code, keys and hooks. GitHub's `repo` includes code and hooks; SSH keys of the account
 * need a separate scope.
 */
const ENDPOINTS: Record<OauthProviderName, { authorize: string; token: string; scope: string }> = {
  gitlab: { authorize: '/oauth/authorize', token: '/oauth/token', scope: 'api' },
  github: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'repo admin:public_key',
  },
};

export function createOauthProviders(clients: OauthClients): OauthProviders {
  function find(name: string): OauthProvider | undefined {
    if (!isOauthProviderName(name)) return undefined;
    const client = clients[name];
    if (client === undefined) return undefined;
    const { authorize, token, scope } = ENDPOINTS[name];
    const { url, clientId, clientSecret } = client;
    return {
      name,
      url,
      clientId,
      clientSecret,
      scope,
      authorizationEndpoint: url + authorize,
      tokenEndpoint: url + token,
    };
  }
  return {
    find,
    at(name, url) {
      const provider = find(name);
      return provider?.url === url ? provider : undefined;
    },
  };
}

function isOauthProviderName(name: string): name is OauthProviderName {
  return Object.hasOwn(ENDPOINTS, name);
}

/** The redirect URL that the operator registers at the provider. */
export function callbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}${SERVICE_PATHS.connect[0]}${connectPath('oauthCallback', { provider })}`;
}
