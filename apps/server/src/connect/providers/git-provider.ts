import type { Branch, CommitRef, Repository, Tag } from '@longshore/contract';
import type { Secret } from '../../secrets/secret.ts';

/** An account at a provider. `url` is the provider's web URL, without a trailing slash. */
export type Account = { url: string; token: Secret };

/** Longshore's OAuth client at a provider. */
export type OauthClient = { clientId: string; clientSecret: Secret };

/** `isCut`: the list is longer than what was read. */
export type Listed<Entry> = { entries: Entry[]; isCut: boolean };

/** Without `repository` a key of the account, otherwise a read-only deploy key of the repository. */
export type KeyScope = { repository?: string };

/** The API of a code host. Repositories are named as in `full_name`. Failures are thrown as `ProviderFailure`. */
export type GitProvider = {
  /** The account that the token belongs to. Also used to check a token. */
  account(account: Account, signal: AbortSignal): Promise<{ id: string; name: string }>;
  /** Whether `repositories` supports `search`; otherwise it ignores it. */
  canSearch: boolean;
  /** All repositories of which the account is a member, most recently active first. */
  repositories(
    account: Account,
    options: { search: string },
    signal: AbortSignal,
  ): Promise<Listed<Repository>>;
  repository(account: Account, name: string, signal: AbortSignal): Promise<Repository>;
  branches(account: Account, name: string, signal: AbortSignal): Promise<Listed<Branch>>;
  /** The recent commits of a branch, newest first. */
  refs(
    account: Account,
    at: { repository: string; branch: string },
    signal: AbortSignal,
  ): Promise<CommitRef[]>;
  tags(account: Account, name: string, signal: AbortSignal): Promise<Listed<Tag>>;
  /** Returns the key's id at the provider. */
  addKey(
    account: Account,
    key: { title: string; publicKey: string } & KeyScope,
    signal: AbortSignal,
  ): Promise<string>;
  /** Succeeds if the key does not exist any more. The same applies to `removeHook`. */
  removeKey(account: Account, key: { id: string } & KeyScope, signal: AbortSignal): Promise<void>;
  /** Registers a webhook for pushes of branches and tags. Returns its id at the provider. */
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
   * Revokes a token that was issued to this client. `not-revoked`: without a client, because the user created the token
   * and may use it elsewhere, or if the provider cannot revoke tokens.
   */
  revoke(
    account: Account,
    client: OauthClient | undefined,
    signal: AbortSignal,
  ): Promise<'revoked' | 'not-revoked'>;
};
