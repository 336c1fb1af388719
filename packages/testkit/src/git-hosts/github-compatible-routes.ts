import { byActivity, type HostContext, type HostRequest, type HostResponse } from './git-host.ts';
import type { HostRepository } from './host-state.ts';
import { addHook, addKey, type RequestScope, removeById } from './keys-and-webhooks.ts';
import { type Paging, pageOf } from './pagination.ts';

/** Differences between the APIs of GitHub and Gitea, which have the same paths. */
export type GithubCompatibleOptions = {
  /** Number of path segments in front of the API paths, such as 2 for `/api/v3`. */
  prefixSegments: number;
  paging: Paging;
  /** Pagination headers that the provider sends. */
  pageHeaders: string[];
  badToken: HostResponse;
  keyTaken: HostResponse;
  branchCommit(sha: string | undefined): unknown;
};

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };

export function githubCompatibleRoutes(options: GithubCompatibleOptions) {
  return (request: HostRequest, host: HostContext): HostResponse | undefined => {
    const user = host.state.userOf(request.headers.authorization);
    if (user === undefined) return options.badToken;
    const segments = request.segments.slice(options.prefixSegments);
    const [collection, owner, name, ...rest] = segments;
    if (collection === 'repos') {
      const repository = host.state.visible(user, `${owner}/${name}`);
      return (
        repository && repositoryRoutes({ ...request, segments: rest }, host, { user, repository })
      );
    }
    switch (`${request.method} ${segments.slice(0, 2).join('/')}`) {
      case 'GET user':
        return { body: { id: user.id, login: user.login, full_name: '' } };
      case 'GET user/repos': {
        const all = host.state.memberships(user).sort(byActivity);
        return paged(all, request, (repository) => repositoryBody(repository, host));
      }
      case 'POST user/keys':
        return addKey(request, host, { user }) ?? options.keyTaken;
      case 'DELETE user/keys':
        return removeById(host.state.keys, segments[2]);
      default:
        return undefined;
    }
  };

  function repositoryRoutes(
    request: HostRequest,
    host: HostContext,
    scope: Required<RequestScope>,
  ): HostResponse | undefined {
    const { repository } = scope;
    const { method, segments, url } = request;
    switch (`${method} ${segments[0] ?? ''}`) {
      case 'GET ':
        return { body: repositoryBody(repository, host) };
      case 'GET branches':
        return paged([...repository.branches], request, ([name, [newest]]) => ({
          name,
          protected: false,
          commit: options.branchCommit(newest?.sha),
        }));
      case 'GET tags':
        return paged([...repository.tags], request, ([name, sha]) => ({ name, commit: { sha } }));
      case 'GET commits': {
        const commits = repository.branches.get(url.searchParams.get('sha') ?? '');
        if (commits === undefined) return NOT_FOUND;
        return paged(commits, request, ({ sha, title, at: date }) => ({
          sha,
          commit: { message: `${title}\n\nDetails.`, committer: { name: 'Ada', date } },
        }));
      }
      case 'POST keys':
        return addKey(request, host, scope) ?? options.keyTaken;
      case 'DELETE keys':
        return removeById(host.state.keys, segments[1]);
      case 'POST hooks': {
        const { config } = JSON.parse(request.text);
        const { url: hookUrl, secret } = config;
        return addHook(host, { repository: repository.fullName, url: hookUrl, secret });
      }
      case 'DELETE hooks':
        return removeById(host.state.hooks, segments[1]);
      default:
        return undefined;
    }
  }

  function paged<Entry>(
    all: Entry[],
    { url }: HostRequest,
    bodyOf: (entry: Entry) => unknown,
  ): HostResponse {
    const { entries, headers } = pageOf(all, url, options.paging);
    const sentHeaders = Object.entries(headers).filter(([name]) =>
      options.pageHeaders.includes(name),
    );
    return { body: entries.map(bodyOf), headers: Object.fromEntries(sentHeaders) };
  }
}

/** The OAuth endpoints, which are the same at GitHub and Gitea. */
export function githubCompatibleOauth(
  { method, url, segments }: HostRequest,
  { oauth }: HostContext,
  form: URLSearchParams,
) {
  switch (`${method} ${segments[2]}`) {
    case 'GET authorize': {
      const redirectUrl = oauth.authorize(url.searchParams);
      return redirectUrl === undefined
        ? NOT_FOUND
        : { status: 302, headers: { location: redirectUrl } };
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
