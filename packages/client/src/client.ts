import type { Session } from '@longshore/contract';
import type { Auth } from './auth/auth.ts';
import type { Graphql } from './graphql/graphql.ts';
import type { Logs } from './logs/logs.ts';
import type { Address, Clock, Fetch, KeyValueStorage, Log, TabChannel, TabLock } from './ports.ts';
import type { Resources } from './resources/resources.ts';

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
};

export type Client = {
  auth: Auth;
  graphql: Graphql;
  resources: Resources;
  logs: Logs;
  /** Ends timers, requests, sockets and tab messages. The session stays in storage. */
  stop(): Promise<void>;
};

export function createClient(_deps: ClientDeps): Client {
  throw new Error('not written yet');
}
