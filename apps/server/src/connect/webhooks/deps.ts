import type { Apps } from '../../apps/apps.ts';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import type { Clock } from '../../schedule/clock.ts';
import type { Integrations } from '../accounts/integrations.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import type { SessionOf } from '../caller.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import type { Deliveries } from './deliveries.ts';
import type { Hooks } from './hooks.ts';

/** Under this name the secret of an app's hook is sealed. */
export const HOOK_SECRET = 'webhook';

export type WebhookDeps = {
  apps: Apps;
  hooks: Hooks;
  deliveries: Deliveries;
  secrets: SealedSecrets;
  integrations: Integrations;
  accounts: OpenAccounts;
  locks: KeyedMutex;
  session: SessionOf;
  clock: Pick<Clock, 'now'>;
  /** Where hooks are reached, without the id at the end. */
  hooksUrl: string;
  logError: (error: unknown) => void;
};
