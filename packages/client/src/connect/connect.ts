import type {
  BranchList,
  CommitRef,
  ConnectedAccount,
  Delivery,
  GitProviderName,
  OauthTicket,
  Repository,
  RepositoryList,
  TagList,
  Webhook,
} from '@longshore/contract';
import type { Signalled } from './ask-connect.ts';
import type { ConnectResult } from './connect-result.ts';

export type RegistryLogin = { username: string; password: string };

/** Accounts elsewhere, what can be deployed from them, and what pushes do. Spec §7. */
export type Connect = Accounts & Repositories & Webhooks;

export type Accounts = {
  /** Where the browser has to go to sign in at a provider, once and within a minute. */
  oauthTicket(provider: GitProviderName): Promise<ConnectResult<OauthTicket>>;
  /** Without a url, the provider's own or the one the operator named. */
  connectToken(account: {
    provider: GitProviderName;
    url?: string;
    token: string;
  }): Promise<ConnectResult<ConnectedAccount>>;
  connectDockerHub(login: RegistryLogin): Promise<ConnectResult<ConnectedAccount>>;
  connectRegistry(
    login: RegistryLogin & { host: string },
  ): Promise<ConnectResult<ConnectedAccount>>;
  /** Refused while apps use it, which the error then names, unless forced. */
  deleteIntegration(
    id: string,
    options?: { isForced?: boolean },
  ): Promise<ConnectResult<'deleted'>>;
};

/** Repositories are named by their `full_name`. */
export type Repositories = {
  /** The most recently active first. */
  repositories(
    id: string,
    options?: { search?: string } & Signalled,
  ): Promise<ConnectResult<RepositoryList>>;
  /** One that need not be among the listed. */
  validateRepository(
    id: string,
    name: string,
    options?: Signalled,
  ): Promise<ConnectResult<Repository>>;
  branches(id: string, name: string, options?: Signalled): Promise<ConnectResult<BranchList>>;
  /** The recent commits of a branch. */
  refs(
    id: string,
    at: { repository: string; branch: string },
    options?: Signalled,
  ): Promise<ConnectResult<CommitRef[]>>;
  tags(id: string, name: string, options?: Signalled): Promise<ConnectResult<TagList>>;
};

export type Webhooks = {
  webhook(appId: string, options?: Signalled): Promise<ConnectResult<Webhook>>;
  switchWebhook(appId: string, isEnabled: boolean): Promise<ConnectResult<Webhook>>;
  deliveries(appId: string, options?: Signalled): Promise<ConnectResult<Delivery[]>>;
  replayDelivery(appId: string, id: string): Promise<ConnectResult<Delivery>>;
};
