export type { Account } from './account/account.ts';
export type { Flow, FlowResult, FlowState } from './account/flow.ts';
export { type ProviderOptions, type ProviderRequest, providerUrl } from './account/provider-url.ts';
export type { Auth, RefreshResult, SignInResult, SignOutResult } from './auth/auth.ts';
export type { AuthState } from './auth/auth-state.ts';
export { isRetryable } from './auth/machine/outcome.ts';
export type { Registration } from './auth/registration.ts';
export type {
  Credentials,
  SignInMethod,
  SignUpOptions,
  SignUpRequest,
} from './auth/sign-in-attempt.ts';
export { type BrowserClient, createBrowserClient } from './browser-client.ts';
export { type Client, createClient } from './client.ts';
export type { ClientDeps } from './client-deps.ts';
export type { Connect } from './connect/connect.ts';
export type { ConnectError, ConnectResult } from './connect/connect-result.ts';
export type { FileMetadata, Files, FileToUpload, ImageOptions } from './files/files.ts';
export type { FunctionResponse, Functions } from './functions/create-functions.ts';
export type { Connection, ConnectionState } from './graphql/connection.ts';
export type { Graphql, LiveObserver, Variables } from './graphql/graphql.ts';
export type { Caller } from './http/caller-headers.ts';
export type { RequestError, RequestResult } from './http/request-result.ts';
export type { BackendSetup, ServiceName } from './http/service-urls.ts';
export type {
  AppRef,
  FollowState,
  LogFile,
  LogSearch,
  Logs,
  LogsOptions,
  LogsSelection,
} from './logs/logs.ts';
export type { MetricsQuery } from './metrics/create-metrics.ts';
export type { OperatorService } from './operator/create-operator.ts';
export type {
  AddressBar,
  Clock,
  Fetch,
  KeyValueStorage,
  Log,
  SecurityKeys,
  TabChannel,
  TabLock,
} from './ports.ts';
export type { Releases } from './releases/create-releases.ts';
export type { MutationResult, Resources } from './resources/resources.ts';
export type { Services } from './services.ts';
export type { StorageChoice } from './storage/session-storage.ts';
export { createStore, type Observable, type Store } from './store.ts';
export { withRetries } from './timing/with-retries.ts';
