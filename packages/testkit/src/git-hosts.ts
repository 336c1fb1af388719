export type {
  CloneUrls,
  GitHost,
  GitHostOptions,
  HostRequest,
  HostResponse,
} from './git-hosts/git-host.ts';
export { startGiteaHost } from './git-hosts/gitea-host.ts';
export { startGithubHost } from './git-hosts/github-host.ts';
export { startGitlabHost } from './git-hosts/gitlab-host.ts';
export type { HostRepository, NewRepository } from './git-hosts/host-state.ts';
