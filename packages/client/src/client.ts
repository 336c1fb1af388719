import type { Session } from '@longshore/contract';
import type { Account } from './account/account.ts';
import type { Auth } from './auth/auth.ts';
import { createAuth, type RefreshOptions } from './auth/create-auth.ts';
import type { SecurityKeys } from './auth/security-keys.ts';
import type { Graphql } from './graphql/graphql.ts';
import { createGraphqlRequest } from './graphql/graphql-request.ts';
import { createLiveQueries } from './graphql/live-queries.ts';
import { createLogs } from './logs/create-logs.ts';
import type { Logs } from './logs/logs.ts';
import type { Address, Clock, Fetch, KeyValueStorage, Log, TabChannel, TabLock } from './ports.ts';
import { createResources } from './resources/create-resources.ts';
import type { Resources } from './resources/resources.ts';
import { type Caller, fetchAs } from './setup/caller-headers.ts';

/** Whole addresses, without a slash at the end. */
export type Services = { auth: string; graphql: string; logs: string };

export type ClientDeps = {
  services: Services;
  clock: Clock;
  fetch: Fetch;
  storage: KeyValueStorage;
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
} & RefreshOptions &
  Caller;

export type Client = {
  auth: Auth;
  graphql: Graphql;
  resources: Resources;
  logs: Logs;
  /** Loaded when first asked for. */
  account(): Promise<Account>;
  /** Ends timers, requests, sockets and tab messages. The session stays in storage. */
  stop(): void;
};

export function createClient(deps: ClientDeps): Client {
  const { services, clock, webSocket, channel, log = () => undefined } = deps;
  const fetch = fetchAs(deps.fetch, deps);
  const authDeps = {
    ...deps,
    url: services.auth,
    fetch: fetchAs(deps.fetch, deps, { isAuth: true }),
  };
  const { stop: stopAuth, ...auth } = createAuth(authDeps);
  const request = createGraphqlRequest({ url: services.graphql, clock, fetch, auth });
  const live = createLiveQueries({
    url: services.graphql,
    clock,
    log,
    webSocket,
    auth,
    caller: deps,
  });
  const graphql = { request, subscribe: live.subscribe, connection: live.connection };
  let account: Promise<Account> | undefined;
  return {
    auth,
    account() {
      account ??= import('./account/open-account.ts').then(({ openAccount }) =>
        openAccount({ ...authDeps, auth }),
      );
      return account;
    },
    graphql,
    resources: createResources({ graphql, auth, log }),
    logs: createLogs({ url: services.logs, clock, fetch, auth }),
    stop() {
      void account?.then(({ stop }) => stop());
      live.stop();
      stopAuth();
      channel?.close();
    },
  };
}
