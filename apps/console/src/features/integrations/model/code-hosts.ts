import type { GitProviderName } from '@longshore/contract';

export type CodeHost = {
  name: string;
  /** The default URL; empty for self-hosted software. */
  url: string;
  /** The page where users create a token, relative to the URL. */
  tokenPath: string;
  /** The scopes to read repositories and to add deploy keys and webhooks. */
  scopes: string[];
  /** The environment variables that configure OAuth; empty if it is not supported. */
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

/** Undefined while the URL is incomplete. */
export function tokenPageOf(provider: GitProviderName, url: string): string | undefined {
  const base = url.trim().replace(/\/+$/, '');
  const isWeb = /^https?:\/\/[^/]/.test(base) && URL.canParse(base);
  return isWeb ? base + CODE_HOSTS[provider].tokenPath : undefined;
}
