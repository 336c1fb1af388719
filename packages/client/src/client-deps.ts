import type { Session } from '@longshore/contract';
import type { RefreshOptions } from './auth/create-auth.ts';
import type { SecurityKeys } from './auth/security-keys.ts';
import type {
  Address,
  Clock,
  Fetch,
  KeyValueStorage,
  Log,
  TabChannel,
  TabLock,
  Visibility,
} from './ports.ts';
import type { Caller } from './setup/caller-headers.ts';
import type { BackendSetup } from './setup/service-urls.ts';
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
  /** Without it everything is always seen. */
  visibility?: Visibility;
  /** The constructor; needed by live queries only. */
  webSocket?: unknown;
  /** A session handed over in memory, tried before address and storage. */
  session?: Session;
  /** WebAuthn; the browser's unless another is given. */
  securityKeys?: SecurityKeys;
  /** Our own services beside those of a compatible backend; integrations are at our own origin unless said. */
  domainsUrl?: string;
  connectUrl?: string;
} & BackendSetup &
  RefreshOptions &
  Caller;
