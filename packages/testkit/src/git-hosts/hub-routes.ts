import { byActivity, type HostContext, type HostRequest, type HostResponse } from './git-host.ts';
import { type At, addHook, addKey, remove } from './host-lists.ts';
import type { HostRepository } from './host-state.ts';
import { type PagingNames, pageOf } from './pages.ts';

/** The differences between GitHub and Gitea, whose paths are the same. */
export type HubVariant = {
  /** The number of path segments before the API path. */
  prefixSteps: number;
  paging: PagingNames;
  /** The headers with links to other pages. */
  pageHeaders: string[];
  badToken: HostResponse;
  keyTaken: HostResponse;
  branchCommit(sha: string | undefined): unknown;
};

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };

export function hubRoutes(dialect: HubVariant) {
  return (request: HostRequest, host: HostContext): HostResponse | undefined => {
    const person = host.state.personOf(request.headers.authorization);
    if (person === undefined) return dialect.badToken;
    const steps = request.steps.slice(dialect.prefixSteps);
    const [kind, owner, name, ...rest] = steps;
    if (kind === 'repos') {
      const repository = host.state.visible(person, `${owner}/${name}`);
      return repository && inRepository({ ...request, steps: rest }, host, { person, repository });
    }
    switch (`${request.method} ${steps.slice(0, 2).join('/')}`) {
      case 'GET user':
        return { body: { id: person.id, login: person.login, full_name: '' } };
      case 'GET user/repos': {
        const all = host.state.memberships(person).sort(byActivity);
        return paged(all, request, (repository) => repositoryBody(repository, host));
      }
      case 'POST user/keys':
        return addKey(request, host, { person }) ?? dialect.keyTaken;
      case 'DELETE user/keys':
        return remove(host.state.keys, steps[2]);
      default:
        return undefined;
    }
  };

  function inRepository(
    request: HostRequest,
    host: HostContext,
    at: Required<At>,
  ): HostResponse | undefined {
    const { repository } = at;
    const { method, steps, url } = request;
    switch (`${method} ${steps[0] ?? ''}`) {
      case 'GET ':
        return { body: repositoryBody(repository, host) };
      case 'GET branches':
        return paged([...repository.branches], request, ([name, [newest]]) => ({
          name,
          protected: false,
          commit: dialect.branchCommit(newest?.sha),
        }));
      case 'GET tags':
        return paged([...repository.tags], request, ([name, sha]) => ({ name, commit: { sha } }));
      case 'GET commits': {
        const commits = repository.branches.get(url.searchParams.get('sha') ?? '');
        if (commits === undefined) return NOT_FOUND;
        return paged(commits, request, ({ sha, title, at: date }) => ({
          sha,
          commit: { message: `${title}\n\nMore of it.`, committer: { name: 'Ada', date } },
        }));
      }
      case 'POST keys':
        return addKey(request, host, at) ?? dialect.keyTaken;
      case 'DELETE keys':
        return remove(host.state.keys, steps[1]);
      case 'POST hooks': {
        const { config } = JSON.parse(request.text);
        const { url: to, secret } = config;
        return addHook(host, { repository: repository.fullName, url: to, secret });
      }
      case 'DELETE hooks':
        return remove(host.state.hooks, steps[1]);
      default:
        return undefined;
    }
  }

  function paged<Entry>(
    all: Entry[],
    { url }: HostRequest,
    bodyOf: (entry: Entry) => unknown,
  ): HostResponse {
    const { entries, headers } = pageOf(all, url, dialect.paging);
    const told = Object.entries(headers).filter(([name]) => dialect.pageHeaders.includes(name));
    return { body: entries.map(bodyOf), headers: Object.fromEntries(told) };
  }
}

/** The OAuth endpoints, which are the same at GitHub and Gitea. */
export function hubOauth(
  { method, url, steps }: HostRequest,
  { oauth }: HostContext,
  form: URLSearchParams,
) {
  switch (`${method} ${steps[2]}`) {
    case 'GET authorize': {
      const back = oauth.authorize(url.searchParams);
      return back === undefined ? NOT_FOUND : { status: 302, headers: { location: back } };
    }
    case 'POST access_token':
      return oauth.token(form);
    default:
      return undefined;
  }
}

function repositoryBody(repository: HostRepository, { cloneUrls }: HostContext) {
  const { id, fullName, description, defaultBranch, isPrivate, activeAt } = repository;
  const [owner = '', name] = fullName.split('/');
  return {
    id,
    name,
    full_name: fullName,
    owner: { login: owner },
    private: isPrivate,
    description: description === '' ? null : description,
    clone_url: cloneUrls.https(fullName),
    ssh_url: cloneUrls.ssh(fullName),
    default_branch: defaultBranch,
    pushed_at: activeAt,
    updated_at: activeAt,
  };
}
