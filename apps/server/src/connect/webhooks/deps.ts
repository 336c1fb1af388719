import type { Clock } from '@longshore/edge-contract';
import type { Apps } from '../../apps/apps.ts';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import type { AccountAccess } from '../accounts/accounts.ts';
import type { Integrations } from '../accounts/integrations.ts';
import type { Audit } from '../audit.ts';
import type { SessionOf } from '../caller.ts';
import type { SealedSecrets } from '../sealed-secrets.ts';
import type { Deliveries } from './deliveries.ts';
import type { Hooks } from './hooks.ts';

export type WebhookDeps = {
  apps: Apps;
  hooks: Hooks;
  deliveries: Deliveries;
  secrets: SealedSecrets;
  integrations: Integrations;
  accounts: AccountAccess;
  locks: KeyedMutex;
  session: SessionOf;
  audit: Audit;
  /** Whether the account of this user is disabled. */
  isDisabled(userId: string): Promise<boolean>;
  clock: Pick<Clock, 'now'>;
  /** Redeploys the app if its owner may. Returns false if the app does not exist. */
  redeployByHook(appId: string): Promise<boolean>;
  /** The URL of the integrations service. */
  connectUrl: string;
  logError: (error: unknown) => void;
};
