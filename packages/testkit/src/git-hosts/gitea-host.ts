import { fieldsOf, type GitHost, type GitHostOptions, startGitHost } from './git-host.ts';
import { githubCompatibleOauth, githubCompatibleRoutes } from './github-compatible-routes.ts';

/** Gitea and Forgejo, following the Swagger description that each installation serves. */
export function startGiteaHost(options: GitHostOptions = {}): Promise<GitHost> {
  const api = githubCompatibleRoutes({
    prefixSegments: 2,
    paging: { size: 'limit', maxSize: 50, defaultSize: 30 },
    pageHeaders: ['link', 'x-total'],
    badToken: { status: 401, body: { message: 'user does not exist [uid: 0, name: ]', url: '' } },
    keyTaken: { status: 422, body: { message: 'Key content has been used as non-deploy key' } },
    branchCommit: (id) => ({ id, message: '' }),
  });
  return startGitHost(
    {
      hasRefreshTokens: true,
      isApiPath: (path) => path.startsWith('/api/v1/') || path.startsWith('/login/oauth/'),
      routes: (request, host) =>
        request.segments[0] === 'login'
          ? githubCompatibleOauth(request, host, fieldsOf(request))
          : api(request, host),
      // Gitea has no rate limit, but a reverse proxy in front of it may.
      rateLimitResponse: ({ resetAt }) => ({
        status: 429,
        body: 'Too Many Requests',
        headers: { 'retry-after': resetAt.toUTCString() },
      }),
    },
    options,
  );
}
