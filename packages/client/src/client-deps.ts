import type { Session } from '@longshore/contract';
import type { RefreshOptions } from './auth/create-auth.ts';
import type { Caller } from './http/caller-headers.ts';
import type { BackendSetup } from './http/service-urls.ts';
import type {
  AddressBar,
  Clock,
  Fetch,
  KeyValueStorage,
  Log,
  SecurityKeys,
  TabChannel,
  TabLock,
  Visibility,
} from './ports.ts';
import type { StorageChoice } from './storage/session-storage.ts';

export type ClientDeps = {
  clock: Clock;
  fetch: Fetch;
  /** Where the session is stored: a storage, or the type of one to open (spec-map 9.3.7). */
  storage: KeyValueStorage | StorageChoice;
  log?: Log;
  channel?: TabChannel;
  lock?: TabLock;
  addressBar?: AddressBar;
  /** The default is always visible. */
  visibility?: Visibility;
  /** The `WebSocket` constructor; only live queries need it. */
  webSocket?: unknown;
  /** A session passed in memory; it takes precedence over the URL and the storage. */
  session?: Session;
  /** WebAuthn; the default is the browser's. */
  securityKeys?: SecurityKeys;
  /** URLs of services that only Longshore has. `connectUrl` defaults to a path on the page's origin. */
  domainsUrl?: string | undefined;
  usageUrl?: string | undefined;
  isolationUrl?: string | undefined;
  operatorUrl?: string | undefined;
  appsUrl?: string | undefined;
  connectUrl?: string;
} & BackendSetup &
  RefreshOptions &
  Caller;
