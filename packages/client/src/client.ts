import type { Session } from '@longshore/contract';
import type { Account } from './account/account.ts';
import type { Auth } from './auth/auth.ts';
import { createAuth, type RefreshOptions } from './auth/create-auth.ts';
import type { SecurityKeys } from './auth/security-keys.ts';
import type { Files } from './files/files.ts';
import type { Functions } from './functions/create-functions.ts';
import type { Graphql } from './graphql/graphql.ts';
import { createGraphqlRequest } from './graphql/graphql-request.ts';
import { createLiveQueries } from './graphql/live-queries.ts';
import { createLogs } from './logs/create-logs.ts';
import type { Logs } from './logs/logs.ts';
import type { Address, Clock, Fetch, KeyValueStorage, Log, TabChannel, TabLock } from './ports.ts';
import { createResources } from './resources/create-resources.ts';
import type { Resources } from './resources/resources.ts';
import { type Caller, fetchAs } from './setup/caller-headers.ts';
import { chooseStorage } from './setup/choose-storage.ts';
import { once } from './setup/once.ts';
import { type BackendSetup, serviceUrls } from './setup/service-urls.ts';
import type { StorageChoice } from './setup/session-storage.ts';

export type ClientDeps = {
  clock: Clock;
  fetch: Fetch;
  /** What the session is kept in, or which of the known storages to open. Spec §9. */
  storage: KeyValueStorage | StorageChoice;
  log?: Log;
  channel?: TabChannel;
  lock?: TabLock;
  address?: Address;
  /** The constructor; needed by live queries only. */
  webSocket?: unknown;
  /** A session handed over in memory, tried before address and storage. */
  session?: Session;
  /** WebAuthn; the browser's unless another is given. */
  securityKeys?: SecurityKeys;
} & BackendSetup &
  RefreshOptions &
  Caller;

export type Client = {
  auth: Auth;
  graphql: Graphql;
  resources: Resources;
  logs: Logs;
  /** This and the next two are loaded when first asked for. */
  account(): Promise<Account>;
  files(): Promise<Files>;
  functions(): Promise<Functions>;
  /** Ends timers, requests, sockets and tab messages. The session stays in storage. */
  stop(): void;
};

/** Everything on one session. Throws the sentences of spec §5 when it is not said where the backend is. */
export function createClient(deps: ClientDeps): Client {
  const { clock, webSocket, channel, log = () => undefined } = deps;
  const urls = serviceUrls(deps);
  const fetch = fetchAs(deps.fetch, deps);
  const authDeps = {
    ...deps,
    url: urls.auth,
    fetch: fetchAs(deps.fetch, deps, { isAuth: true }),
    storage: chooseStorage(deps.storage),
  };
  const { stop: stopAuth, ...auth } = createAuth(authDeps);
  const request = createGraphqlRequest({ url: urls.graphql, clock, fetch, auth });
  const live = createLiveQueries({ url: urls.graphql, clock, log, webSocket, auth, caller: deps });
  const graphql = { request, subscribe: live.subscribe, connection: live.connection };
  let account: Promise<Account> | undefined;
  return {
    auth,
    graphql,
    resources: createResources({ graphql, auth, log }),
    logs: createLogs({ url: urls.logs, clock, fetch, auth }),
    account() {
      account ??= import('./account/open-account.ts').then(({ openAccount }) =>
        openAccount({ ...authDeps, auth }),
      );
      return account;
    },
    files: once(async () => {
      const { createFiles } = await import('./files/create-files.ts');
      return createFiles({ ...deps, url: urls.storage, auth });
    }),
    functions: once(async () => {
      const { createFunctions } = await import('./functions/create-functions.ts');
      return createFunctions({ ...deps, url: urls.functions, auth });
    }),
    stop() {
      void account?.then(({ stop }) => stop());
      live.stop();
      stopAuth();
      channel?.close();
    },
  };
}
