import type { GuardDeps } from '../build/git-guard.ts';
import type { Database } from '../db/database.ts';
import type { OutboundFetch } from '../outbound/outbound-fetch.ts';
import type { Clock } from '../schedule/clock.ts';
import type { PrepareFarewell } from './accounts/farewell.ts';
import type { Integrations } from './accounts/integrations.ts';
import type { OpenAccounts } from './accounts/open-accounts.ts';
import type { Audit } from './audit.ts';
import type { SessionOf } from './caller.ts';
import type { Attempts } from './oauth/attempts.ts';
import type { OauthProviders } from './oauth/oauth-providers.ts';
import type { GitProviders } from './providers/create-git-providers.ts';
import type { SealedSecrets } from './secrets/sealed-secrets.ts';
import type { WebhookDeps } from './webhooks/deps.ts';

/** What the operator decided about integrations. */
export type ConnectSettings = {
  publicUrl: string;
  rateLimits: boolean;
  /** Whether hosts of this machine and its network may be asked, and http spoken. */
  allowLocalSources: boolean;
  /** Where the code hosts live that people need not name. */
  gitHosts: Record<'github' | 'gitlab', string>;
  dockerHubUrl: string;
};

/** What the endpoints of the integrations service work with. */
export type ConnectDeps = {
  db: Database;
  clock: Pick<Clock, 'now'>;
  session: SessionOf;
  audit: Audit;
  settings: ConnectSettings;
  /** Refuses private networks, but for the hosts the operator named. */
  fetch: OutboundFetch;
  /** Which sources may be called. */
  guard: GuardDeps;
  gitProviders: GitProviders;
  secrets: SealedSecrets;
  integrations: Integrations;
  accounts: OpenAccounts;
  attempts: Attempts;
  oauthProviders: OauthProviders;
  prepareFarewell: PrepareFarewell;
  webhooks: WebhookDeps;
  logError: (error: unknown) => void;
};
