import type {
  Branch,
  ConnectedAccount,
  DependentApp,
  GitProviderName,
  Repository,
  RepositoryList,
  Tag,
} from '@longshore/contract';
import type { Answer } from './answer.ts';

/** Without a url: the one the operator configured, or the provider's own. */
export type TokenAccount = { provider: GitProviderName; url?: string; token: string };
export type RegistryAccount = { host: string; username: string; password: string };

/** With apps: nothing was removed, because they clone or pull with it. */
export type DisconnectOutcome =
  | { ok: true }
  | { ok: false; message: string; apps?: DependentApp[] };

/** Outside accounts: connecting, disconnecting, and what can be deployed from them. */
export type ConnectPort = {
  /** The browser leaves for the provider, and comes back to the integrations page. */
  leaveFor(provider: GitProviderName): Promise<Answer<undefined>>;
  connectToken(account: TokenAccount): Promise<Answer<ConnectedAccount>>;
  connectDockerHub(account: Omit<RegistryAccount, 'host'>): Promise<Answer<ConnectedAccount>>;
  connectRegistry(account: RegistryAccount): Promise<Answer<ConnectedAccount>>;
  disconnect(id: string, options: { isForced: boolean }): Promise<DisconnectOutcome>;
  /** Most recently active first. */
  repositories(id: string, search: string, signal: AbortSignal): Promise<Answer<RepositoryList>>;
  /** One by its whole name, which the list need not show. */
  validateRepository(id: string, name: string): Promise<Answer<Repository>>;
  branches(id: string, repository: string, signal: AbortSignal): Promise<Answer<Branch[]>>;
  tags(id: string, repository: string, signal: AbortSignal): Promise<Answer<Tag[]>>;
};
