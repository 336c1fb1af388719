import {
  fieldsOf,
  type GitHost,
  type GitHostOptions,
  type HostRoutes,
  startGitHost,
} from './git-host.ts';
import { githubCompatibleOauth, githubCompatibleRoutes } from './github-compatible-routes.ts';

/** GitHub Enterprise Server, following docs.github.com/rest. Its API is below its own URL. */
export function startGithubHost(options: GitHostOptions = {}): Promise<GitHost> {
  const api = githubCompatibleRoutes({
    prefixSegments: 2,
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
      hasRefreshTokens: false,
      isApiPath: (path) => path.startsWith('/api/v3/') || path.startsWith('/login/oauth/'),
      routes(request, host) {
        const { method, segments } = request;
        if (segments[0] === 'login') {
          const response = githubCompatibleOauth(request, host, fieldsOf(request));
          // GitHub responds with status 200 even to a rejected token request.
          return method === 'POST' && response ? { ...response, status: 200 } : response;
        }
        if (method === 'DELETE' && segments[2] === 'applications') return revoke(request, host);
        return api(request, host);
      },
      rateLimitResponse: ({ resetAt }) => ({
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

const revoke: HostRoutes = (request, { state, oauth }) => {
  const { clientId, clientSecret } = oauth.app;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const isClient =
    request.segments[3] === clientId && request.headers.authorization === `Basic ${basic}`;
  if (!isClient || request.segments[4] !== 'token')
    return { status: 404, body: { message: 'Not Found' } };
  const isKnown = state.revokeToken(fieldsOf(request).get('access_token') ?? '');
  return isKnown ? { status: 204 } : { status: 422, body: { message: 'Validation Failed' } };
};
