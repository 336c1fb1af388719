import { fieldsOf, type GitHost, type GitHostOptions, startGitHost } from './git-host.ts';
import { hubOauth, hubRoutes } from './hub-routes.ts';

/** A fake Gitea or Forgejo, after the API description that every instance serves. */
export function startGiteaHost(options: GitHostOptions = {}): Promise<GitHost> {
  const api = hubRoutes({
    prefixSteps: 2,
    paging: { size: 'limit', maxSize: 50, defaultSize: 30 },
    pageHeaders: ['link', 'x-total'],
    badToken: { status: 401, body: { message: 'user does not exist [uid: 0, name: ]', url: '' } },
    keyTaken: { status: 422, body: { message: 'Key content has been used as non-deploy key' } },
    branchCommit: (id) => ({ id, message: '' }),
  });
  return startGitHost(
    {
      hasRefresh: true,
      isApi: (path) => path.startsWith('/api/v1/') || path.startsWith('/login/oauth/'),
      routes: (request, host) =>
        request.steps[0] === 'login'
          ? hubOauth(request, host, fieldsOf(request))
          : api(request, host),
      // Gitea has no rate limit, but a proxy in front of it may have one.
      tooMany: ({ resetAt }) => ({
        status: 429,
        body: 'Too Many Requests',
        headers: { 'retry-after': resetAt.toUTCString() },
      }),
    },
    options,
  );
}
