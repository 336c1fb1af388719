import type { Branch, DependentApp, GitProviderName, Repository, Tag } from '@longshore/contract';
import type { Answer } from '../src/backend/answer.ts';
import type { ConnectPort, RegistryAccount, TokenAccount } from '../src/backend/connect-port.ts';

/** Outside accounts in memory. Every answer is a refusal once `refuse` was told a sentence. */
export function createFakeConnect() {
  const left: GitProviderName[] = [];
  const tokens: TokenAccount[] = [];
  const registries: Partial<RegistryAccount>[] = [];
  const removed: { id: string; isForced: boolean }[] = [];
  const searches: string[] = [];
  let repositories: Repository[] = [];
  let isCut = false;
  let branches: Branch[] = [];
  let tags: Tag[] = [];
  let users: DependentApp[] = [];
  let refusal: string | undefined;

  async function answer<Value>(value: Value): Promise<Answer<Value>> {
    return refusal === undefined ? { ok: true, value } : { ok: false, message: refusal };
  }

  const port: ConnectPort = {
    async leaveFor(provider) {
      left.push(provider);
      return await answer(undefined);
    },
    connectToken(account) {
      tokens.push(account);
      return answer({ id: 'i9', provider: account.provider, account_name: 'acme' });
    },
    connectDockerHub(account) {
      registries.push(account);
      return answer({ id: 'i9', provider: 'dockerhub', account_name: account.username });
    },
    connectRegistry(account) {
      registries.push(account);
      return answer({ id: 'i9', provider: 'registry', account_name: account.username });
    },
    async disconnect(id, { isForced }) {
      removed.push({ id, isForced });
      if (users.length > 0 && !isForced) return { ok: false, message: 'In use', apps: users };
      return await answer(undefined);
    },
    repositories(_, search) {
      searches.push(search);
      const found = repositories.filter(({ full_name }) => full_name.includes(search));
      return answer({ repositories: found, isCut: isCut && search === '' });
    },
    async validateRepository(_, name) {
      const known = repositories.find(({ full_name }) => full_name === name);
      return known ? await answer(known) : { ok: false, message: 'Repository not found' };
    },
    branches: () => answer(branches),
    tags: () => answer(tags),
  };

  return {
    port,
    left,
    tokens,
    registries,
    removed,
    searches,
    refuse: (message: string | undefined) => {
      refusal = message;
    },
    hold: (held: {
      repositories?: Repository[];
      branches?: Branch[];
      tags?: Tag[];
      isCut?: boolean;
    }) => {
      ({ repositories = repositories, branches = branches, tags = tags, isCut = isCut } = held);
    },
    /** Apps that only the server knows of. */
    useBy: (apps: DependentApp[]) => {
      users = apps;
    },
  };
}
