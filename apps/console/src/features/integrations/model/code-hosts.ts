import type { GitProviderName } from '@longshore/contract';

export type CodeHost = {
  name: string;
  /** Where it is when nobody says otherwise. Empty: everybody has an own one. */
  url: string;
  /** Where a person makes a token, below the address. */
  tokenPath: string;
  /** What the token has to allow: to read, to add a key, to add a webhook. */
  scopes: string[];
  /** What the operator sets, so that nobody has to make a token. Empty: there is no such way. */
  variables: string[];
};

export const CODE_HOSTS: Record<GitProviderName, CodeHost> = {
  gitlab: {
    name: 'GitLab',
    url: 'https://gitlab.com',
    tokenPath: '/-/user_settings/personal_access_tokens',
    scopes: ['api'],
    variables: ['LONGSHORE_GITLAB_CLIENT_ID', 'LONGSHORE_GITLAB_CLIENT_SECRET'],
  },
  github: {
    name: 'GitHub',
    url: 'https://github.com',
    tokenPath: '/settings/tokens/new',
    scopes: ['repo', 'admin:public_key'],
    variables: ['LONGSHORE_GITHUB_CLIENT_ID', 'LONGSHORE_GITHUB_CLIENT_SECRET'],
  },
  gitea: {
    name: 'Gitea / Forgejo',
    url: '',
    tokenPath: '/user/settings/applications',
    scopes: ['write:repository', 'write:user'],
    variables: [],
  },
};

/** Undefined while the address is none. */
export function tokenPageOf(provider: GitProviderName, url: string): string | undefined {
  const address = url.trim().replace(/\/+$/, '');
  const isWeb = /^https?:\/\/[^/]/.test(address) && URL.canParse(address);
  return isWeb ? address + CODE_HOSTS[provider].tokenPath : undefined;
}
