import type {
  BranchList,
  CommitRef,
  ConnectedAccount,
  Delivery,
  DeployHook,
  GitProviderName,
  OauthTicket,
  Repository,
  RepositoryList,
  TagList,
  Webhook,
} from '@longshore/contract';
import type { Abortable } from './connect-request.ts';
import type { ConnectResult } from './connect-result.ts';

export type RegistryLogin = { username: string; password: string };

/** The integrations service: connected accounts, their repositories, and the webhooks of apps (spec-map 7.5). */
export type Connect = Accounts & Repositories & Webhooks;

export type Accounts = {
  /** The URL where the user signs in at the provider. Valid once and for one minute. */
  oauthTicket(provider: GitProviderName): Promise<ConnectResult<OauthTicket>>;
  /** Without a url: the one the operator configured, or the provider's public one. */
  connectToken(account: {
    provider: GitProviderName;
    url?: string;
    token: string;
  }): Promise<ConnectResult<ConnectedAccount>>;
  connectDockerHub(login: RegistryLogin): Promise<ConnectResult<ConnectedAccount>>;
  connectRegistry(
    login: RegistryLogin & { host: string },
  ): Promise<ConnectResult<ConnectedAccount>>;
  /** Fails while apps use the integration, unless forced; the error lists the apps. */
  deleteIntegration(
    id: string,
    options?: { isForced?: boolean },
  ): Promise<ConnectResult<'deleted'>>;
};

/** Repositories are identified by their `full_name`. */
export type Repositories = {
  /** Most recently active first. */
  repositories(
    id: string,
    options?: { search?: string } & Abortable,
  ): Promise<ConnectResult<RepositoryList>>;
  /** Looks up one repository, which need not be in the list. */
  validateRepository(
    id: string,
    name: string,
    options?: Abortable,
  ): Promise<ConnectResult<Repository>>;
  branches(id: string, name: string, options?: Abortable): Promise<ConnectResult<BranchList>>;
  /** The recent commits of a branch. */
  refs(
    id: string,
    at: { repository: string; branch: string },
    options?: Abortable,
  ): Promise<ConnectResult<CommitRef[]>>;
  tags(id: string, name: string, options?: Abortable): Promise<ConnectResult<TagList>>;
};

export type Webhooks = {
  webhook(appId: string, options?: Abortable): Promise<ConnectResult<Webhook>>;
  switchWebhook(appId: string, isEnabled: boolean): Promise<ConnectResult<Webhook>>;
  deliveries(appId: string, options?: Abortable): Promise<ConnectResult<Delivery[]>>;
  replayDelivery(appId: string, id: string): Promise<ConnectResult<Delivery>>;
  deployHook(appId: string, options?: Abortable): Promise<ConnectResult<DeployHook>>;
  /** Also replaces it: the URL of before stops working. */
  createDeployHook(appId: string): Promise<ConnectResult<DeployHook>>;
  removeDeployHook(appId: string): Promise<ConnectResult<DeployHook>>;
};
