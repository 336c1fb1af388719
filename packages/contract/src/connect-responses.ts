import { isProvider, type Provider } from './integration-values.ts';
import { areStrings, areStringsOrNull, isRecord } from './type-guards.ts';

/** Response bodies of the integrations service. */

export type Repository = {
  id: string;
  /** The last part of `full_name`. */
  name: string;
  /** The name with all its groups, such as `group/subgroup/app`. Identifies a repository in paths and payloads. */
  full_name: string;
  description: string;
  /** Clone URLs over https and over ssh. */
  url: string;
  sshUrl: string;
  defaultBranch: string;
  isPrivate: boolean;
  /** Time of the last activity; null where the provider does not send it. */
  activeAt: string | null;
};

/** `isCut`: the list is truncated; the other repositories are found by a search or by their full name. */
export type RepositoryList = { repositories: Repository[]; isCut: boolean };
export type BranchList = { branches: Branch[]; isCut: boolean };
export type TagList = { tags: Tag[]; isCut: boolean };

export type Branch = { name: string; isDefault: boolean; commit: string };

/** A recent commit of a branch; `title` is the first line of its message. */
export type CommitRef = { commit: string; title: string; at: string | null };

export type Tag = { name: string; commit: string };

/** An account that was just connected or reconnected. */
export type ConnectedAccount = { id: string; provider: Provider; account_name: string };

/** Authorises one redirect to a provider's OAuth page; valid for a minute. */
export type OauthTicket = { token: string; url: string };

/** An app that clones or pulls with an integration. */
export type DependentApp = { id: string; name: string; projectId: string };

/** The decoders return undefined for a malformed response and skip malformed entries of a list. */
export function decodeRepositories(body: unknown): RepositoryList | undefined {
  const repositories = decodeList(body, 'repositories', isRepository);
  return repositories && { repositories, isCut: isCut(body) };
}

export function isRepository(value: unknown): value is Repository {
  return (
    isRecord(value) &&
    areStrings(value.id, value.name, value.full_name, value.description) &&
    areStrings(value.url, value.sshUrl, value.defaultBranch) &&
    typeof value.isPrivate === 'boolean' &&
    areStringsOrNull(value.activeAt)
  );
}

export function decodeBranches(body: unknown): BranchList | undefined {
  const branches = decodeList(body, 'branches', isBranch);
  return branches && { branches, isCut: isCut(body) };
}

export function decodeRefs(body: unknown): CommitRef[] | undefined {
  return decodeList(body, 'refs', isCommitRef);
}

export function decodeTags(body: unknown): TagList | undefined {
  const tags = decodeList(body, 'tags', isTag);
  return tags && { tags, isCut: isCut(body) };
}

export function isConnectedAccount(value: unknown): value is ConnectedAccount {
  return isRecord(value) && areStrings(value.id, value.account_name) && isProvider(value.provider);
}

export function isOauthTicket(value: unknown): value is OauthTicket {
  return isRecord(value) && areStrings(value.token, value.url);
}

/** The apps that block the deletion of an integration. */
export function decodeDependentApps(body: unknown): DependentApp[] {
  return decodeList(body, 'apps', isDependentApp) ?? [];
}

function decodeList<Entry>(
  body: unknown,
  name: string,
  isEntry: (value: unknown) => value is Entry,
): Entry[] | undefined {
  const list = isRecord(body) ? body[name] : undefined;
  return Array.isArray(list) ? list.filter(isEntry) : undefined;
}

function isCut(body: unknown): boolean {
  return isRecord(body) && body.isCut === true;
}

function isBranch(value: unknown): value is Branch {
  return (
    isRecord(value) && areStrings(value.name, value.commit) && typeof value.isDefault === 'boolean'
  );
}

function isCommitRef(value: unknown): value is CommitRef {
  return isRecord(value) && areStrings(value.commit, value.title) && areStringsOrNull(value.at);
}

function isTag(value: unknown): value is Tag {
  return isRecord(value) && areStrings(value.name, value.commit);
}

function isDependentApp(value: unknown): value is DependentApp {
  return isRecord(value) && areStrings(value.id, value.name, value.projectId);
}
