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
import { type At, addHook, addKey, remove } from './host-lists.ts';
import type { HostRepository, Person } from './host-state.ts';
import { pageOf } from './pages.ts';

const PAGING = { size: 'per_page', maxSize: 100, defaultSize: 20 };
const KEY_TAKEN = {
  status: 400,
  body: { message: { fingerprint: ['has already been taken'] } },
};
const NO_PROJECT = { status: 404, body: { message: '404 Project Not Found' } };

/** A fake GitLab with the endpoints that integrations use, after docs.gitlab.com/api. */
export function startGitlabHost(options: GitHostOptions = {}): Promise<GitHost> {
  return startGitHost(
    {
      hasRefresh: true,
      isApi: (path) => path.startsWith('/api/v4/') || path.startsWith('/oauth/'),
      routes: (request, host) =>
        request.steps[0] === 'oauth' ? oauthRoutes(request, host) : apiRoutes(request, host),
      tooMany: ({ resetAt }) => ({
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
  switch (`${request.method} ${request.steps[1]}`) {
    case 'GET authorize': {
      const back = oauth.authorize(request.url.searchParams);
      return back === undefined
        ? { status: 401, body: 'Client authentication failed' }
        : { status: 302, headers: { location: back } };
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
  const { method, steps, headers } = request;
  const person = host.state.personOf(headers.authorization);
  if (person === undefined) return { status: 401, body: { message: '401 Unauthorized' } };
  const [, , kind = '', name] = steps;
  if (kind === 'projects') {
    if (name === undefined) return projects(request, host, person);
    const repository = host.state.visible(person, name);
    return repository === undefined ? NO_PROJECT : project(request, host, { repository, person });
  }
  switch (`${method} ${steps.slice(2).join('/')}`) {
    case 'GET user':
      return {
        body: { id: person.id, username: person.login, name: person.login, state: 'active' },
      };
    case 'POST user/keys':
      return addKey(request, host, { person }) ?? KEY_TAKEN;
    default:
      return method === 'DELETE' && kind === 'user' ? remove(host.state.keys, steps[4]) : undefined;
  }
}

function projects({ url }: HostRequest, host: HostContext, person: Person): HostResponse {
  const search = url.searchParams.get('search')?.toLowerCase() ?? '';
  const found = host.state
    .memberships(person)
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
  at: Required<At>,
): HostResponse | undefined {
  const { method, steps, url } = request;
  const { repository } = at;
  const [, , , , ...rest] = steps;
  switch (`${method} ${rest.slice(0, 2).join('/')}`) {
    case 'GET ':
      return { body: projectBody(repository, host) };
    case 'GET repository/branches':
      return branches(repository, url);
    case 'GET repository/tags': {
      const { entries, headers } = pageOf([...repository.tags], url, PAGING);
      return { body: entries.map(([name, id]) => ({ name, commit: { id }, target: id })), headers };
    }
    case 'GET repository/commits':
      return commits(repository, url);
    case 'POST deploy_keys':
      return addKey(request, host, at) ?? KEY_TAKEN;
    case 'POST hooks': {
      const { url: to, token: secret } = JSON.parse(request.text);
      return addHook(host, { repository: repository.fullName, url: to, secret });
    }
    default:
      if (method === 'DELETE' && rest[0] === 'hooks') return remove(host.state.hooks, rest[1]);
      if (method === 'DELETE' && rest[0] === 'deploy_keys') return remove(host.state.keys, rest[1]);
      return undefined;
  }
}

function branches(repository: HostRepository, url: URL): HostResponse {
  const { entries, headers } = pageOf([...repository.branches], url, PAGING);
  const body = entries.map(([name, [newest]]) => ({
    name,
    default: name === repository.defaultBranch,
    protected: false,
    commit: { id: newest?.sha, title: newest?.title },
  }));
  return { body, headers };
}

function commits(repository: HostRepository, url: URL): HostResponse {
  const known = repository.branches.get(url.searchParams.get('ref_name') ?? '');
  if (known === undefined) return { status: 404, body: { message: '404 Commit Not Found' } };
  const { entries, headers } = pageOf(known, url, PAGING);
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
