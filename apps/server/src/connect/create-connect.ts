import { type ReleaseCause, SERVICE_PATHS } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import type { Hono } from 'hono';
import { createApps } from '../apps/apps.ts';
import type { SourcePolicy } from '../build/source-policy.ts';
import type { KeyedMutex } from '../concurrency/keyed-semaphore.ts';
import type { Database } from '../db/database.ts';
import type { SourceCredentials } from '../engines/source-credentials.ts';
import type { OutboundFetch } from '../outbound/outbound-fetch.ts';
import type { OpenBuckets } from '../rate-limits/buckets.ts';
import type { KeyStore } from '../secrets/key-store.ts';
import { createSeal } from '../secrets/seal.ts';
import { scanHost } from '../ssh/scan-host.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createPrepareDisconnect } from './accounts/disconnect-account.ts';
import { createIntegrations } from './accounts/integrations.ts';
import { createTokenRefresh } from './accounts/token-refresh.ts';
import type { Audit } from './audit.ts';
import type { SessionOf } from './caller.ts';
import type { ConnectSettings } from './deps.ts';
import { createHostKeys } from './keys/host-keys.ts';
import { createIntegrationKeys } from './keys/integration-keys.ts';
import { createSshAccess } from './keys/ssh-access.ts';
import { createAttempts } from './oauth/attempts.ts';
import { createOauthProviders, type OauthClients } from './oauth/oauth-providers.ts';
import { refreshTokens } from './oauth/request-tokens.ts';
import { createGitProviders } from './providers/create-git-providers.ts';
import { createSealedSecrets } from './sealed-secrets.ts';
import { createConnectService } from './service.ts';
import { createSourceCredentials } from './source-credentials.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import type { WebhookDeps } from './webhooks/deps.ts';
import { createHooks } from './webhooks/hooks.ts';
import { removeHooksOfDeletedApps } from './webhooks/registration.ts';

export type ConnectOptions = {
  db: Database;
  keys: KeyStore;
  clock: Pick<Clock, 'now'>;
  openBuckets: OpenBuckets;
  /** Work on one app or account runs one piece at a time, on all servers. */
  locks: KeyedMutex;
  session: SessionOf;
  audit: Audit;
  settings: ConnectSettings & { oauthClients: OauthClients };
  fetch: OutboundFetch;
  /** Decides which sources may be requested. */
  sourcePolicy: SourcePolicy;
  /** Redeploys an app, within the given transaction. */
  redeploy(db: Database, appId: string, cause: ReleaseCause): Promise<void>;
  /** The same on a call of the app's deploy hook, if its owner may. Returns false if the app does not exist. */
  redeployByHook(tx: Database, appId: string): Promise<boolean>;
  logError: (error: unknown) => void;
};

export type Connect = {
  service: Hono;
  /** Credentials with which engines clone repositories and pull images. */
  credentials: SourceCredentials;
  /** Deletes expired OAuth attempts and the webhooks of deleted apps. Called daily. */
  tidy(): Promise<void>;
};

async function isDisabled(db: Database, userId: string): Promise<boolean> {
  const query = db.selectFrom('auth.users').select('disabled').where('id', '=', userId);
  return (await query.executeTakeFirst())?.disabled === true;
}

/** Wires the integrations service. */
export async function createConnect(options: ConnectOptions): Promise<Connect> {
  const { db, clock, locks, session, audit, settings, fetch, sourcePolicy, redeploy, logError } =
    options;
  const gitProviders = createGitProviders({ fetch, clock });
  const seal = await createSeal(options.keys);
  const secrets = createSealedSecrets(db, seal);
  const integrations = createIntegrations(db, seal);
  const oauthProviders = createOauthProviders(settings.oauthClients);
  const attempts = createAttempts(db);
  const refreshToken = createTokenRefresh({
    secrets,
    oauthProviders,
    locks,
    refresh: (provider, token) => refreshTokens(provider, token, { fetch, clock }),
  });
  const accounts = createAccounts({ secrets, integrations, gitProviders, refreshToken, clock });
  const title = `Longshore at ${new URL(settings.publicUrl).host}`;
  const keys = createIntegrationKeys({ secrets, accounts, locks, title });
  const hostKeys = createHostKeys({ secrets, locks, scan: scanHost });
  const sshAccess = createSshAccess({ keys, hostKeys, sourcePolicy });
  const hooks = createHooks(db);
  const webhooks: WebhookDeps = {
    apps: createApps(db),
    hooks,
    deliveries: createDeliveries({ db, redeploy }),
    secrets,
    integrations,
    accounts,
    locks,
    session,
    audit,
    isDisabled: (userId) => isDisabled(db, userId),
    clock,
    redeployByHook: (appId) => db.transaction().execute((tx) => options.redeployByHook(tx, appId)),
    connectUrl: `${settings.publicUrl}${SERVICE_PATHS.connect[0]}`,
    logError,
  };
  const service = createConnectService({
    db,
    clock,
    openBuckets: options.openBuckets,
    session,
    audit,
    settings,
    fetch,
    sourcePolicy,
    gitProviders,
    integrations,
    accounts,
    attempts,
    oauthProviders,
    prepareDisconnect: createPrepareDisconnect({ accounts, keys, hooks, oauthProviders, logError }),
    webhooks,
  });
  return {
    service,
    credentials: createSourceCredentials({ integrations, secrets, accounts, sshAccess }),
    async tidy() {
      await attempts.removeExpired();
      await removeHooksOfDeletedApps(webhooks);
    },
  };
}
