import type { GitProviderName } from '@longshore/contract';
import type { GitProvider } from './git-provider.ts';
import { createGitea } from './github-compatible/gitea.ts';
import { createGithub } from './github-compatible/github.ts';
import { createGitlab } from './gitlab/gitlab.ts';
import type { ApiDeps } from './provider-api.ts';

export type GitProviders = Record<GitProviderName, GitProvider>;

export function createGitProviders(deps: ApiDeps): GitProviders {
  return { gitlab: createGitlab(deps), github: createGithub(deps), gitea: createGitea(deps) };
}
