import type { Branch, CommitRef, Repository, Tag } from '@longshore/contract';
import type { Secret } from '../../secrets/secret.ts';

/** An account at a provider: where people open it, without a slash at the end, and what lets us ask there. */
export type Account = { url: string; token: Secret };

/** Longshore as a client of a provider, for tokens that came by OAuth. */
export type OauthClient = { clientId: string; clientSecret: Secret };

/** What a list holds; `isCut`: there was more than is ever looked through. */
export type Listed<Entry> = { entries: Entry[]; isCut: boolean };

/** A key of the account, or of one repository, which it can then only read. */
export type KeyPlace = { repository?: string };

/**
 * What Longshore asks of a code host. Repositories are named as in `full_name`. Every call has a deadline of its own,
 * and throws a `ProviderFailure` for whatever stands in the way.
 */
export type GitProvider = {
  /** Whose token it is; the way to see whether one is good. */
  account(account: Account, signal: AbortSignal): Promise<{ id: string; name: string }>;
  /** Whether it can search for repositories itself; otherwise all are listed, whatever is searched for. */
  canSearch: boolean;
  /** All that the account can see as a member, the most recently active first. */
  repositories(
    account: Account,
    wish: { search: string },
    signal: AbortSignal,
  ): Promise<Listed<Repository>>;
  repository(account: Account, name: string, signal: AbortSignal): Promise<Repository>;
  branches(account: Account, name: string, signal: AbortSignal): Promise<Listed<Branch>>;
  /** The recent commits of a branch, the newest first. */
  refs(
    account: Account,
    at: { repository: string; branch: string },
    signal: AbortSignal,
  ): Promise<CommitRef[]>;
  tags(account: Account, name: string, signal: AbortSignal): Promise<Listed<Tag>>;
  /** Answers the id by which the provider knows the key. */
  addKey(
    account: Account,
    key: { title: string; publicKey: string } & KeyPlace,
    signal: AbortSignal,
  ): Promise<string>;
  /** A key that is gone already is fine; so with hooks. */
  removeKey(account: Account, key: { id: string } & KeyPlace, signal: AbortSignal): Promise<void>;
  /** Tells the provider where to send pushes of branches and tags. */
  addHook(
    account: Account,
    hook: { repository: string; url: string; secret: Secret },
    signal: AbortSignal,
  ): Promise<string>;
  removeHook(
    account: Account,
    hook: { repository: string; id: string },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Makes a token worthless that was made for this client. `kept`: one that a person made, who may use it elsewhere
   * too, or the provider has no way to.
   */
  revoke(
    account: Account,
    client: OauthClient | undefined,
    signal: AbortSignal,
  ): Promise<'revoked' | 'kept'>;
};
