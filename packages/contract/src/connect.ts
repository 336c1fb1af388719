import { isProvider, type Provider } from './integration-values.ts';
import { isRecord } from './parsed.ts';
import { areTexts, areTextsOrNull } from './texts.ts';

/** What the integrations service answers. Spec §7 shows no shapes, §3 the first four fields of a repository. */

export type Repository = {
  id: string;
  /** The last part of `full_name`. */
  name: string;
  /** With every group before it; this is what names a repository in paths and payloads. */
  full_name: string;
  description: string;
  /** What git clones over https, and over ssh. Spec §9. */
  url: string;
  sshUrl: string;
  defaultBranch: string;
  isPrivate: boolean;
  /** When something last happened there; null where the provider does not say. */
  activeAt: string | null;
};

/** `isCut`: there are more than are looked through; a search, or the name itself, finds them. */
export type RepositoryList = { repositories: Repository[]; isCut: boolean };
export type BranchList = { branches: Branch[]; isCut: boolean };
export type TagList = { tags: Tag[]; isCut: boolean };

export type Branch = { name: string; isDefault: boolean; commit: string };

/** A recent commit of a branch; `title` is the first line of its message. */
export type CommitRef = { commit: string; title: string; at: string | null };

export type Tag = { name: string; commit: string };

/** An account that was just connected, or connected again. */
export type ConnectedAccount = { id: string; provider: Provider; account_name: string };

/** Lets a browser leave for a provider, once and within a minute. */
export type OauthTicket = { token: string; url: string };

/** An app that clones or pulls with an integration. */
export type AppInUse = { id: string; name: string; projectId: string };

/** The readers answer undefined for what is no answer of ours, and leave out what is no entry of a list. */
export function decodeRepositories(answer: unknown): RepositoryList | undefined {
  const repositories = decodeList(answer, 'repositories', isRepository);
  return repositories && { repositories, isCut: isCut(answer) };
}

export function isRepository(value: unknown): value is Repository {
  return (
    isRecord(value) &&
    areTexts(value.id, value.name, value.full_name, value.description) &&
    areTexts(value.url, value.sshUrl, value.defaultBranch) &&
    typeof value.isPrivate === 'boolean' &&
    areTextsOrNull(value.activeAt)
  );
}

export function decodeBranches(answer: unknown): BranchList | undefined {
  const branches = decodeList(answer, 'branches', isBranch);
  return branches && { branches, isCut: isCut(answer) };
}

export function decodeRefs(answer: unknown): CommitRef[] | undefined {
  return decodeList(answer, 'refs', isCommitRef);
}

export function decodeTags(answer: unknown): TagList | undefined {
  const tags = decodeList(answer, 'tags', isTag);
  return tags && { tags, isCut: isCut(answer) };
}

export function isConnectedAccount(value: unknown): value is ConnectedAccount {
  return isRecord(value) && areTexts(value.id, value.account_name) && isProvider(value.provider);
}

export function isOauthTicket(value: unknown): value is OauthTicket {
  return isRecord(value) && areTexts(value.token, value.url);
}

/** Which apps a refused deletion names. */
export function decodeAppsInUse(answer: unknown): AppInUse[] {
  return decodeList(answer, 'apps', isAppInUse) ?? [];
}

function decodeList<Entry>(
  answer: unknown,
  name: string,
  isEntry: (value: unknown) => value is Entry,
): Entry[] | undefined {
  const list = isRecord(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? list.filter(isEntry) : undefined;
}

function isCut(answer: unknown): boolean {
  return isRecord(answer) && answer.isCut === true;
}

function isBranch(value: unknown): value is Branch {
  return (
    isRecord(value) && areTexts(value.name, value.commit) && typeof value.isDefault === 'boolean'
  );
}

function isCommitRef(value: unknown): value is CommitRef {
  return isRecord(value) && areTexts(value.commit, value.title) && areTextsOrNull(value.at);
}

function isTag(value: unknown): value is Tag {
  return isRecord(value) && areTexts(value.name, value.commit);
}

function isAppInUse(value: unknown): value is AppInUse {
  return isRecord(value) && areTexts(value.id, value.name, value.projectId);
}
