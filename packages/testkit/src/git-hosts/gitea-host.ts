import { fieldsOf, type GitHost, type GitHostOptions, startGitHost } from './git-host.ts';
import { hubOauth, hubRoutes } from './hub-routes.ts';

/** Gitea and Forgejo as the description of their API has it, which every one of them serves itself. */
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
      // Gitea itself counts nothing; what stands before it may.
      tooMany: ({ resetAt }) => ({
        status: 429,
        body: 'Too Many Requests',
        headers: { 'retry-after': resetAt.toUTCString() },
      }),
    },
    options,
  );
}
