import type { Reason } from '../engines/failure.ts';
import { type GitAddress, parseGitAddress, withoutUserInfo } from './git-address.ts';

/** A link from a commit to a commit of another repository. `url` is undefined if `.gitmodules` has none. */
export type Submodule = { path: string; commit: string; url: string | undefined };

/** Of one checkout, with the submodules of submodules. A repository can contain itself. */
export const MAX_SUBMODULES = 50;

const LINK = /^160000 commit ([0-9a-f]{40,64}) +-\t(.+)$/;
const SETTING = /^submodule\.(.*)\.(path|url) (.*)$/;

export type SubmoduleLink = Omit<Submodule, 'url'>;

/** The submodule in one line of a listing of files; undefined for files and folders. */
export function submoduleLink(line: string): SubmoduleLink | undefined {
  const [, commit, path] = LINK.exec(line) ?? [];
  return commit === undefined || path === undefined ? undefined : { path, commit };
}

/** Adds the addresses, from the settings of `.gitmodules` as git lists them. */
export function withUrls(links: SubmoduleLink[], settings: string[]): Submodule[] {
  const names = new Map<string, string>();
  const urls = new Map<string, string>();
  for (const setting of settings) {
    const [, name, key, value] = SETTING.exec(setting) ?? [];
    if (name === undefined || value === undefined) continue;
    if (key === 'path') names.set(value, name);
    else urls.set(name, value);
  }
  return links.map((link) => ({ ...link, url: urls.get(names.get(link.path) ?? '') }));
}

/**
 * The address of a submodule: relative ones start at the repository that contains it, as in git. SSH addresses at the host
 * of an app that is read over HTTPS are read over HTTPS too, because its access, or none, applies there.
 */
export function submoduleUrl(
  url: string,
  { parent, root }: { parent: string; root: string },
): string {
  const absolute = /^\.\.?\//.test(url) ? resolveRelative(url, parent) : url;
  const [address, rootAddress] = [parseGitAddress(absolute), parseGitAddress(root)];
  const isWeb = rootAddress?.kind === 'https' || rootAddress?.kind === 'http';
  if (address?.kind !== 'ssh' || !isWeb || address.host !== rootAddress.host) return absolute;
  const path = absolute.includes('://')
    ? new URL(absolute).pathname.slice(1)
    : absolute.slice(absolute.indexOf(':') + 1).replace(/^\/+/, '');
  return `${new URL(root).origin}/${path}`;
}

function resolveRelative(url: string, parent: string): string {
  let [base, rest] = [parent.replace(/\/+$/, ''), url];
  let separator = '/';
  for (;;) {
    if (rest.startsWith('./')) rest = rest.slice(2);
    else if (rest.startsWith('../')) {
      const end = Math.max(base.lastIndexOf('/'), base.lastIndexOf(':'));
      separator = base[end] ?? '/';
      base = base.slice(0, Math.max(end, 0));
      rest = rest.slice(3);
    } else return `${base}${separator}${rest}`.replace(/\/+$/, '');
  }
}

/**
 * What a submodule may use of the rights of its app. The author of a repository chooses its submodules, so a repository of
 * another machine must not lead to one of this machine or its network, nor the credential to another host.
 */
export function submoduleRights(
  url: string,
  appUrl: string,
): { mayUseCredential: boolean; mayBeLocal: boolean } {
  const [address, appAddress] = [parseGitAddress(url), parseGitAddress(appUrl)];
  if (address === undefined || appAddress === undefined) {
    return { mayUseCredential: false, mayBeLocal: false };
  }
  const isHostOfApp = isSameHost(address, appAddress);
  return { mayUseCredential: isHostOfApp, mayBeLocal: isHostOfApp || appAddress.kind === 'file' };
}

function isSameHost(one: GitAddress, other: GitAddress): boolean {
  if (one.kind === 'file' || other.kind === 'file') return false;
  return one.kind === other.kind && one.host === other.host && one.port === other.port;
}

const WHY: Partial<Record<Reason, string>> = {
  'repository-not-found': 'was not found. Make it public',
  'repository-refused': 'requires authentication. Make it public',
  'repository-too-large': 'is too large. Remove it',
  'repository-invalid': 'is not valid. Fix it',
  'repository-damaged': 'is damaged on its host. Restore it',
  'source-not-allowed': 'is not an allowed source. Use a public https:// address',
  'ref-not-found': 'does not have its commit. Push it',
  'root-directory-missing': 'has no folder in the checkout. Remove it',
};

const UNREACHABLE = 'could not be reached. Redeploy when it can';

/** What is said about a submodule that is missing. */
export function missingSubmodule({ path, url }: Submodule, reason: Reason): string {
  if (url === undefined) {
    return `The submodule ${path} was not fetched: .gitmodules has no url for this path. Add one, or remove the submodule`;
  }
  const why = WHY[reason] ?? UNREACHABLE;
  return `The submodule ${path} was not fetched: ${withoutUserInfo(url)} ${why}, or copy its files into the repository`;
}
