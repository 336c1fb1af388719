import { createHash } from 'node:crypto';
import type { Branch, CommitRef, Repository, Tag } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import type { AccountAccess } from '../accounts/accounts.ts';
import type { Integration } from '../accounts/integrations.ts';
import type { Account, Listed } from '../providers/git-provider.ts';
import { createResultCache } from './result-cache.ts';

export type RepositoryListsDeps = { accounts: AccountAccess; clock: Pick<Clock, 'now'> };

export type BranchLocation = { repository: string; branch: string };

/** The repositories, branches, tags and commits of an integration, cached briefly. Throws a `ProviderFailure`. */
export type RepositoryLists = {
  repositories(integration: Integration, search: string): Promise<Listed<Repository>>;
  branches(integration: Integration, repository: string): Promise<Listed<Branch>>;
  tags(integration: Integration, repository: string): Promise<Listed<Tag>>;
  refs(integration: Integration, branch: BranchLocation): Promise<Listed<CommitRef>>;
};

/** Long enough for typing a search, short enough to show a new repository soon. */
const LIFETIME_MS = 30_000;
/** Per kind of list; about 40,000 repositories. */
const MAX_CACHED_CHARACTERS = 16_000_000;
/** Longer than the time limit for all pages of a list. */
const TIMEOUT_MS = 50_000;

/**
 * Results are cached by integration, its state, token and query: another token may have other permissions. The state is
 * part of the key, so that after a token was rejected no older result makes it look valid.
 */
export function createRepositoryLists({ accounts, clock }: RepositoryListsDeps): RepositoryLists {
  const [repositories, branches] = [createLists<Repository>(), createLists<Branch>()];
  const [tags, refs] = [createLists<Tag>(), createLists<CommitRef>()];

  function createLists<Entry>() {
    const cache = createResultCache<Listed<Entry>>({
      clock,
      lifetimeMs: LIFETIME_MS,
      maxWeight: MAX_CACHED_CHARACTERS,
    });
    return {
      peek: cache.peek,
      /** Not the caller's signal: the result is shared, and the first caller may disconnect before the others. */
      get: (key: string, load: (signal: AbortSignal) => Promise<Listed<Entry>>) =>
        cache.get(key, async () => {
          const result = await load(AbortSignal.timeout(TIMEOUT_MS));
          return { result, weight: JSON.stringify(result).length };
        }),
    };
  }

  return {
    repositories: (integration, search) =>
      accounts.use(integration, async (provider, account) => {
        const keyFor = (query: string) => cacheKey(integration, account, [query]);
        const list = (query: string) =>
          repositories.get(keyFor(query), (signal) =>
            provider.repositories(account, { search: query }, signal),
          );
        const all = provider.canSearch ? repositories.peek(keyFor('')) : await list('');
        return all === undefined || (all.isCut && provider.canSearch)
          ? await list(search)
          : { ...all, entries: all.entries.filter((entry) => matchesSearch(entry, search)) };
      }),
    branches: (integration, repository) =>
      accounts.use(integration, (provider, account) =>
        branches.get(cacheKey(integration, account, [repository]), (signal) =>
          provider.branches(account, repository, signal),
        ),
      ),
    tags: (integration, repository) =>
      accounts.use(integration, (provider, account) =>
        tags.get(cacheKey(integration, account, [repository]), (signal) =>
          provider.tags(account, repository, signal),
        ),
      ),
    refs: (integration, branch) =>
      accounts.use(integration, (provider, account) =>
        refs.get(
          cacheKey(integration, account, [branch.repository, branch.branch]),
          async (signal) => ({
            entries: await provider.refs(account, branch, signal),
            isCut: false,
          }),
        ),
      ),
  };
}

function cacheKey({ id, values }: Integration, { token }: Account, query: string[]): string {
  const tokenHash = createHash('sha256').update(token.reveal()).digest('base64');
  return JSON.stringify([id, values.state, tokenHash, ...query]);
}

/** Whether name or description contain every word of a search. */
export function matchesSearch({ full_name, description }: Repository, search: string): boolean {
  const text = `${full_name} ${description}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
