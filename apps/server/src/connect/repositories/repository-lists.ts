import { createHash } from 'node:crypto';
import type { Branch, CommitRef, Repository, Tag } from '@longshore/contract';
import type { Clock } from '../../schedule/clock.ts';
import type { AccountAccess } from '../accounts/accounts.ts';
import type { Integration } from '../accounts/integrations.ts';
import type { Account, Listed } from '../providers/git-provider.ts';
import { createBriefCache } from './brief-cache.ts';
import { isMatch } from './matching.ts';

export type RepositoryListsDeps = { accounts: AccountAccess; clock: Pick<Clock, 'now'> };

export type BranchPlace = { repository: string; branch: string };

/** What can be deployed from an integration. Throws a `ProviderFailure`. */
export type RepositoryLists = {
  repositories(integration: Integration, search: string): Promise<Listed<Repository>>;
  branches(integration: Integration, repository: string): Promise<Listed<Branch>>;
  tags(integration: Integration, repository: string): Promise<Listed<Tag>>;
  refs(integration: Integration, at: BranchPlace): Promise<Listed<CommitRef>>;
};

/** Long enough for somebody who types a search, short enough for a repository that was made just now. */
const LIFETIME_MS = 30_000;
/** Of each kind; some 40,000 repositories. */
const MAX_CHARACTERS_KEPT = 16_000_000;
/** More than reading all pages of a list may take. */
const DEADLINE_MS = 50_000;

/**
 * Answers are kept by integration, token and question: another token may see other things. Once a token was refused, no
 * answer from before speaks for it.
 */
export function createRepositoryLists({ accounts, clock }: RepositoryListsDeps): RepositoryLists {
  const [repositories, branches] = [createLists<Repository>(), createLists<Branch>()];
  const [tags, refs] = [createLists<Tag>(), createLists<CommitRef>()];

  function createLists<Entry>() {
    const cache = createBriefCache<Listed<Entry>>({
      clock,
      lifetimeMs: LIFETIME_MS,
      maxWeight: MAX_CHARACTERS_KEPT,
    });
    return {
      peek: cache.peek,
      /** The signal is no caller's: who shares an answer may leave before it is there. */
      get: (key: string, make: (signal: AbortSignal) => Promise<Listed<Entry>>) =>
        cache.get(key, async () => {
          const answer = await make(AbortSignal.timeout(DEADLINE_MS));
          return { answer, weight: JSON.stringify(answer).length };
        }),
    };
  }

  return {
    repositories: (integration, search) =>
      accounts.use(integration, async (provider, account) => {
        const keyFor = (wish: string) => keyOf(integration, account, [wish]);
        const list = (wish: string) =>
          repositories.get(keyFor(wish), (signal) =>
            provider.repositories(account, { search: wish }, signal),
          );
        const all = provider.canSearch ? repositories.peek(keyFor('')) : await list('');
        return all === undefined || (all.isCut && provider.canSearch)
          ? await list(search)
          : { ...all, entries: all.entries.filter((entry) => isMatch(entry, search)) };
      }),
    branches: (integration, repository) =>
      accounts.use(integration, (provider, account) =>
        branches.get(keyOf(integration, account, [repository]), (signal) =>
          provider.branches(account, repository, signal),
        ),
      ),
    tags: (integration, repository) =>
      accounts.use(integration, (provider, account) =>
        tags.get(keyOf(integration, account, [repository]), (signal) =>
          provider.tags(account, repository, signal),
        ),
      ),
    refs: (integration, at) =>
      accounts.use(integration, (provider, account) =>
        refs.get(keyOf(integration, account, [at.repository, at.branch]), async (signal) => ({
          entries: await provider.refs(account, at, signal),
          isCut: false,
        })),
      ),
  };
}

function keyOf({ id, values }: Integration, { token }: Account, question: string[]): string {
  const tokenHash = createHash('sha256').update(token.reveal()).digest('base64');
  return JSON.stringify([id, values.state, tokenHash, ...question]);
}
