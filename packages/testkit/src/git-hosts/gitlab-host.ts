import {
  byActivity,
  fieldsOf,
  type GitHost,
  type GitHostOptions,
  type HostContext,
  type HostRequest,
  type HostResponse,
  startGitHost,
} from './git-host.ts';
import type { HostRepository, HostUser } from './host-state.ts';
import { addHook, addKey, type RequestScope, removeById } from './keys-and-webhooks.ts';
import { pageOf } from './pagination.ts';

const PAGING = { size: 'per_page', maxSize: 100, defaultSize: 20 };
const KEY_TAKEN = {
  status: 400,
  body: { message: { fingerprint: ['has already been taken'] } },
};
const NO_PROJECT = { status: 404, body: { message: '404 Project Not Found' } };

/** GitLab, following docs.gitlab.com/api: the endpoints that an integration uses. */
export function startGitlabHost(options: GitHostOptions = {}): Promise<GitHost> {
  return startGitHost(
    {
      hasRefreshTokens: true,
      isApiPath: (path) => path.startsWith('/api/v4/') || path.startsWith('/oauth/'),
      routes: (request, host) =>
        request.segments[0] === 'oauth' ? oauthRoutes(request, host) : apiRoutes(request, host),
      rateLimitResponse: ({ resetAt }) => ({
        status: 429,
        body: 'Retry later\n',
        headers: {
          'ratelimit-remaining': '0',
          'ratelimit-reset': String(Math.ceil(resetAt.getTime() / 1_000)),
        },
      }),
    },
    options,
  );
}

function oauthRoutes(request: HostRequest, { oauth }: HostContext): HostResponse | undefined {
  switch (`${request.method} ${request.segments[1]}`) {
    case 'GET authorize': {
      const redirectUrl = oauth.authorize(request.url.searchParams);
      return redirectUrl === undefined
        ? { status: 401, body: 'Client authentication failed' }
        : { status: 302, headers: { location: redirectUrl } };
    }
    case 'POST token':
      return oauth.token(fieldsOf(request));
    case 'POST revoke':
      return oauth.revoke(fieldsOf(request))
        ? { body: {} }
        : { status: 403, body: { error: 'unauthorized_client' } };
    default:
      return undefined;
  }
}

function apiRoutes(request: HostRequest, host: HostContext): HostResponse | undefined {
  const { method, segments, headers } = request;
  const user = host.state.userOf(headers.authorization);
  if (user === undefined) return { status: 401, body: { message: '401 Unauthorized' } };
  const [, , collection = '', name] = segments;
  if (collection === 'projects') {
    if (name === undefined) return projects(request, host, user);
    const repository = host.state.visible(user, name);
    return repository === undefined ? NO_PROJECT : project(request, host, { repository, user });
  }
  switch (`${method} ${segments.slice(2).join('/')}`) {
    case 'GET user':
      return {
        body: { id: user.id, username: user.login, name: user.login, state: 'active' },
      };
    case 'POST user/keys':
      return addKey(request, host, { user }) ?? KEY_TAKEN;
    default:
      return method === 'DELETE' && collection === 'user'
        ? removeById(host.state.keys, segments[4])
        : undefined;
  }
}

function projects({ url }: HostRequest, host: HostContext, user: HostUser): HostResponse {
  const search = url.searchParams.get('search')?.toLowerCase() ?? '';
  const found = host.state
    .memberships(user)
    .filter(({ fullName, description }) =>
      `${fullName} ${description}`.toLowerCase().includes(search),
    )
    .sort(byActivity);
  const { entries, headers } = pageOf(found, url, PAGING);
  return { body: entries.map((repository) => projectBody(repository, host)), headers };
}

function project(
  request: HostRequest,
  host: HostContext,
  scope: Required<RequestScope>,
): HostResponse | undefined {
  const { method, segments, url } = request;
  const { repository } = scope;
  const [, , , , ...rest] = segments;
  switch (`${method} ${rest.slice(0, 2).join('/')}`) {
    case 'GET ':
      return { body: projectBody(repository, host) };
    case 'GET repository/branches':
      return branchesResponse(repository, url);
    case 'GET repository/tags': {
      const { entries, headers } = pageOf([...repository.tags], url, PAGING);
      return { body: entries.map(([name, id]) => ({ name, commit: { id }, target: id })), headers };
    }
    case 'GET repository/commits':
      return commitsResponse(repository, url);
    case 'POST deploy_keys':
      return addKey(request, host, scope) ?? KEY_TAKEN;
    case 'POST hooks': {
      const { url: hookUrl, token: secret } = JSON.parse(request.text);
      return addHook(host, { repository: repository.fullName, url: hookUrl, secret });
    }
    default:
      if (method === 'DELETE' && rest[0] === 'hooks') return removeById(host.state.hooks, rest[1]);
      if (method === 'DELETE' && rest[0] === 'deploy_keys')
        return removeById(host.state.keys, rest[1]);
      return undefined;
  }
}

function branchesResponse(repository: HostRepository, url: URL): HostResponse {
  const { entries, headers } = pageOf([...repository.branches], url, PAGING);
  const body = entries.map(([name, [newest]]) => ({
    name,
    default: name === repository.defaultBranch,
    protected: false,
    commit: { id: newest?.sha, title: newest?.title },
  }));
  return { body, headers };
}

function commitsResponse(repository: HostRepository, url: URL): HostResponse {
  const commits = repository.branches.get(url.searchParams.get('ref_name') ?? '');
  if (commits === undefined) return { status: 404, body: { message: '404 Commit Not Found' } };
  const { entries, headers } = pageOf(commits, url, PAGING);
  const body = entries.map(({ sha, title, at }) => ({
    id: sha,
    short_id: sha.slice(0, 8),
    title,
    message: `${title}\n`,
    committed_date: at,
  }));
  return { body, headers };
}

function projectBody(repository: HostRepository, { cloneUrls }: HostContext) {
  const { id, fullName, description, defaultBranch, isPrivate, activeAt } = repository;
  const path = fullName.slice(fullName.lastIndexOf('/') + 1);
  return {
    id,
    name: path,
    path,
    path_with_namespace: fullName,
    description: description === '' ? null : description,
    default_branch: defaultBranch,
    visibility: isPrivate ? 'private' : 'public',
    http_url_to_repo: cloneUrls.https(fullName),
    ssh_url_to_repo: cloneUrls.ssh(fullName),
    last_activity_at: activeAt,
  };
}
