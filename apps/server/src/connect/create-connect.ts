import { type ReleaseCause, SERVICE_PATHS } from '@longshore/contract';
import type { Hono } from 'hono';
import { createApps } from '../apps/apps.ts';
import type { GuardDeps } from '../build/git-guard.ts';
import { createKeyedMutex } from '../concurrency/keyed-semaphore.ts';
import type { Database } from '../db/database.ts';
import type { SourceCredentials } from '../engines/source-credentials.ts';
import type { OutboundFetch } from '../outbound/outbound-fetch.ts';
import type { Clock } from '../schedule/clock.ts';
import { createSeal } from '../secrets/seal.ts';
import { scanHost } from '../ssh/scan-host.ts';
import { createFarewell } from './accounts/farewell.ts';
import { createIntegrations } from './accounts/integrations.ts';
import { createOpenAccounts } from './accounts/open-accounts.ts';
import { createRenewals } from './accounts/renewals.ts';
import type { Audit } from './audit.ts';
import type { SessionOf } from './caller.ts';
import { createCredentials } from './credentials.ts';
import type { ConnectSettings } from './deps.ts';
import { createHostKeys } from './keys/host-keys.ts';
import { createIntegrationKeys } from './keys/integration-keys.ts';
import { createSshAccess } from './keys/ssh-access.ts';
import { createAttempts } from './oauth/attempts.ts';
import { createOauthProviders, type OauthClients } from './oauth/oauth-providers.ts';
import { refreshTokens } from './oauth/request-tokens.ts';
import { createGitProviders } from './providers/create-git-providers.ts';
import { createSealedSecrets } from './secrets/sealed-secrets.ts';
import { createConnectService } from './service.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import type { WebhookDeps } from './webhooks/deps.ts';
import { createHooks } from './webhooks/hooks.ts';
import { removeLeftHooks } from './webhooks/remove-left.ts';

export type ConnectOptions = {
  db: Database;
  keysFolder: string;
  clock: Pick<Clock, 'now'>;
  session: SessionOf;
  audit: Audit;
  settings: ConnectSettings & { oauthClients: OauthClients };
  fetch: OutboundFetch;
  /** Which sources may be called. */
  guard: GuardDeps;
  /** Has an app deployed again, within the transaction. */
  redeploy(db: Database, appId: string, cause: ReleaseCause): Promise<void>;
  logError: (error: unknown) => void;
};

export type Connect = {
  service: Hono;
  /** What engines clone and pull with. */
  credentials: SourceCredentials;
  /** What is to be done once a day. */
  tidy(): Promise<void>;
};

/** The integrations service with its parts. */
export async function createConnect(options: ConnectOptions): Promise<Connect> {
  const { db, settings } = options;
  const gitProviders = createGitProviders(options);
  const seal = await createSeal(options.keysFolder);
  const secrets = createSealedSecrets(db, seal);
  const integrations = createIntegrations(db, seal);
  const oauthProviders = createOauthProviders(settings.oauthClients);
  const attempts = createAttempts(db);
  const accounts = createOpenAccounts({
    ...{ secrets, integrations, gitProviders, clock: options.clock },
    renew: createRenewals({
      ...{ secrets, oauthProviders },
      refresh: (provider, refreshToken) => refreshTokens(provider, refreshToken, options),
    }),
  });
  const locks = createKeyedMutex();
  const title = `Longshore at ${new URL(settings.publicUrl).host}`;
  const keys = createIntegrationKeys({ secrets, accounts, locks, title });
  const hostKeys = createHostKeys({ secrets, locks, scan: scanHost });
  const sshAccess = createSshAccess({ keys, hostKeys, guard: options.guard });
  const hooks = createHooks(db);
  const webhooks: WebhookDeps = {
    ...options,
    ...{ hooks, secrets, integrations, accounts, locks },
    apps: createApps(db),
    deliveries: createDeliveries(options),
    hooksUrl: `${settings.publicUrl}${SERVICE_PATHS.connect[0]}/hooks`,
  };
  const prepareFarewell = createFarewell({ ...options, accounts, keys, hooks, oauthProviders });
  const service = createConnectService({
    ...options,
    ...{ gitProviders, secrets, integrations, accounts, attempts, oauthProviders },
    ...{ prepareFarewell, webhooks },
  });
  return {
    service,
    credentials: createCredentials({ integrations, secrets, accounts, sshAccess }),
    async tidy() {
      await attempts.removeExpired();
      await removeLeftHooks(webhooks);
    },
  };
}
