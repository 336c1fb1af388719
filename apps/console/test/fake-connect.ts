import type { Connect, ConnectResult } from '@longshore/client';
import type { Branch, DependentApp, GitProviderName, Repository, Tag } from '@longshore/contract';
import { failure } from './failure.ts';

type TokenAccount = Parameters<Connect['connectToken']>[0];
type RegistryAccount = Parameters<Connect['connectRegistry']>[0];

/** The integrations service in memory. Every request fails after `failRequests` was called with a message. */
export function createFakeConnect() {
  const oauthTickets: GitProviderName[] = [];
  const tokens: TokenAccount[] = [];
  const registries: Partial<RegistryAccount>[] = [];
  const removed: { id: string; isForced: boolean }[] = [];
  const searches: string[] = [];
  let repositories: Repository[] = [];
  let isCut = false;
  let branches: Branch[] = [];
  let tags: Tag[] = [];
  let dependentApps: DependentApp[] = [];
  let failureMessage: string | undefined;

  async function respond<Data>(data: Data): Promise<ConnectResult<Data>> {
    return failureMessage === undefined ? { ok: true, data } : failure(failureMessage);
  }

  const service = {
    oauthTicket(provider) {
      oauthTickets.push(provider);
      return respond({ token: 'ticket', url: `https://console.test/oauth/${provider}` });
    },
    connectToken(account) {
      tokens.push(account);
      return respond({ id: 'i9', provider: account.provider, account_name: 'acme' });
    },
    connectDockerHub(account) {
      registries.push(account);
      return respond({ id: 'i9', provider: 'dockerhub', account_name: account.username });
    },
    connectRegistry(account) {
      registries.push(account);
      return respond({ id: 'i9', provider: 'registry', account_name: account.username });
    },
    async deleteIntegration(id, { isForced = false } = {}) {
      removed.push({ id, isForced });
      if (dependentApps.length === 0 || isForced) return respond('deleted');
      const { error } = failure('In use');
      return { ok: false, error: { ...error, apps: dependentApps } };
    },
    repositories(_, { search = '' } = {}) {
      searches.push(search);
      const found = repositories.filter(({ full_name }) => full_name.includes(search));
      return respond({ repositories: found, isCut: isCut && search === '' });
    },
    async validateRepository(_, name) {
      const repository = repositories.find(({ full_name }) => full_name === name);
      return repository ? respond(repository) : failure('Repository not found');
    },
    branches: () => respond({ branches, isCut: false }),
    tags: () => respond({ tags, isCut: false }),
  } satisfies Partial<Connect>;

  return {
    service,
    oauthTickets,
    tokens,
    registries,
    removed,
    searches,
    failRequests: (message: string | undefined) => {
      failureMessage = message;
    },
    set: (state: {
      repositories?: Repository[];
      branches?: Branch[];
      tags?: Tag[];
      isCut?: boolean;
    }) => {
      ({ repositories = repositories, branches = branches, tags = tags, isCut = isCut } = state);
    },
    /** Apps that block the deletion of an integration. */
    setDependentApps: (apps: DependentApp[]) => {
      dependentApps = apps;
    },
  };
}
