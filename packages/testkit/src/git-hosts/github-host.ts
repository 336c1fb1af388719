import { fieldsOf, type GitHost, type GitHostOptions, startGitHost } from './git-host.ts';
import { hubOauth, hubRoutes } from './hub-routes.ts';

/** A fake GitHub Enterprise Server, after docs.github.com/rest: the API is on the same host. */
export function startGithubHost(options: GitHostOptions = {}): Promise<GitHost> {
  const api = hubRoutes({
    prefixSteps: 2,
    paging: { size: 'per_page', maxSize: 100, defaultSize: 30 },
    pageHeaders: ['link'],
    badToken: { status: 401, body: { message: 'Bad credentials' } },
    keyTaken: {
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: [{ resource: 'PublicKey', field: 'key', message: 'key is already in use' }],
      },
    },
    branchCommit: (sha) => ({ sha, url: '' }),
  });
  return startGitHost(
    {
      hasRefresh: false,
      isApi: (path) => path.startsWith('/api/v3/') || path.startsWith('/login/oauth/'),
      routes(request, host) {
        const { method, steps } = request;
        if (steps[0] === 'login') {
          const answer = hubOauth(request, host, fieldsOf(request));
          // GitHub rejects with status 200.
          return method === 'POST' && answer ? { ...answer, status: 200 } : answer;
        }
        if (method === 'DELETE' && steps[2] === 'applications') return revoke(request, host);
        return api(request, host);
      },
      tooMany: ({ resetAt }) => ({
        status: 403,
        body: { message: 'API rate limit exceeded for user ID 1.' },
        headers: {
          'x-ratelimit-limit': '5000',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Math.ceil(resetAt.getTime() / 1_000)),
        },
      }),
    },
    options,
  );
}

const revoke: Parameters<typeof startGitHost>[0]['routes'] = (request, { state, oauth }) => {
  const { clientId, clientSecret } = oauth.app;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const isClient =
    request.steps[3] === clientId && request.headers.authorization === `Basic ${basic}`;
  if (!isClient || request.steps[4] !== 'token')
    return { status: 404, body: { message: 'Not Found' } };
  const isKnown = state.revokeToken(fieldsOf(request).get('access_token') ?? '');
  return isKnown ? { status: 204 } : { status: 422, body: { message: 'Validation Failed' } };
};
