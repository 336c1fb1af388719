/** URLs of code hosts, such as `https://github.com`. Absent: only the public ones are known. */
export type CodeHosts = { github?: string; gitlab?: string };

type Links = { commit(sha: string): string; compare(from: string, to: string): string };

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The page of a commit at its code host. Undefined for unknown hosts and revisions that are no commit. */
export function commitUrl(sourceUrl: string, sha: string, hosts: CodeHosts): string | undefined {
  return COMMIT.test(sha) ? linksOf(sourceUrl, hosts)?.commit(sha) : undefined;
}

/** The page with all commits between two. */
export function compareUrl(
  sourceUrl: string,
  { from, to }: { from: string; to: string },
  hosts: CodeHosts,
): string | undefined {
  if (!COMMIT.test(from) || !COMMIT.test(to) || from === to) return undefined;
  return linksOf(sourceUrl, hosts)?.compare(from, to);
}

function linksOf(sourceUrl: string, hosts: CodeHosts): Links | undefined {
  const repository = repositoryOf(sourceUrl);
  if (repository === undefined) return undefined;
  const { host, path } = repository;
  if (host === hostOf(hosts.gitlab) || host === 'gitlab.com') {
    const base = `${originOf(hosts.gitlab, host)}/${path}/-`;
    return {
      commit: (sha) => `${base}/commit/${sha}`,
      compare: (from, to) => `${base}/compare/${from}...${to}`,
    };
  }
  const isGithub = host === hostOf(hosts.github) || host === 'github.com';
  // Codeberg runs Forgejo, which has the paths of GitHub.
  if (!isGithub && host !== 'codeberg.org') return undefined;
  const base = `${isGithub ? originOf(hosts.github, host) : `https://${host}`}/${path}`;
  return {
    commit: (sha) => `${base}/commit/${sha}`,
    compare: (from, to) => `${base}/compare/${from}...${to}`,
  };
}

/** `https://host/path.git`, `ssh://git@host/path.git` or `git@host:path.git`. */
function repositoryOf(sourceUrl: string): { host: string; path: string } | undefined {
  const short = /^[\w.-]+@([\w.-]+):(?!\/)(.+)$/.exec(sourceUrl);
  const url = short === null ? URL.parse(sourceUrl) : URL.parse(`ssh://${short[1]}/${short[2]}`);
  if (url === null || !['https:', 'http:', 'ssh:'].includes(url.protocol)) return undefined;
  const path = url.pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return path === '' ? undefined : { host: url.hostname, path };
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.hostname;
}

/** A configured host may have a port or be served over HTTP. */
function originOf(configured: string | undefined, host: string): string {
  return configured !== undefined && hostOf(configured) === host
    ? configured.replace(/\/+$/, '')
    : `https://${host}`;
}
