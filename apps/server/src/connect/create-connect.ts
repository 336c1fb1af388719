import type { Hono } from 'hono';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Credentials } from '../engines/credentials.ts';
import type { OutboundFetch } from '../outbound/outbound-fetch.ts';
import { createSeal } from '../secrets/seal.ts';
import { createFarewell } from './accounts/farewell.ts';
import { createIntegrations } from './accounts/integrations.ts';
import { createOpenAccounts } from './accounts/open-accounts.ts';
import { createRenewals } from './accounts/renewals.ts';
import type { SessionOf } from './caller.ts';
import { createCredentials } from './credentials.ts';
import type { ConnectSettings } from './deps.ts';
import { refreshTokens } from './oauth/ask-for-tokens.ts';
import { createAttempts } from './oauth/attempts.ts';
import { createOauthProviders, type OauthClients } from './oauth/oauth-providers.ts';
import { createGitProviders } from './providers/create-git-providers.ts';
import { createSealedSecrets } from './secrets/sealed-secrets.ts';
import { createConnectService } from './service.ts';

export type ConnectOptions = {
  db: Database;
  keysFolder: string;
  clock: Pick<Clock, 'now'>;
  session: SessionOf;
  settings: ConnectSettings & { oauthClients: OauthClients };
  fetch: OutboundFetch;
  logError: (error: unknown) => void;
};

export type Connect = {
  service: Hono;
  /** What engines clone and pull with. */
  credentials: Credentials;
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
  const prepareFarewell = createFarewell({ ...options, secrets, gitProviders, oauthProviders });
  const service = createConnectService({
    ...options,
    ...{ gitProviders, secrets, integrations, accounts, attempts, oauthProviders, prepareFarewell },
  });
  return {
    service,
    credentials: createCredentials({ integrations, secrets, accounts }),
    tidy: attempts.removeExpired,
  };
}
