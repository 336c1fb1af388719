import type { Clock } from '@longshore/edge-contract';
import type { SourcePolicy } from '../build/source-policy.ts';
import type { Database } from '../db/database.ts';
import type { OutboundFetch } from '../outbound/outbound-fetch.ts';
import type { OpenBuckets } from '../rate-limits/buckets.ts';
import type { AccountAccess } from './accounts/accounts.ts';
import type { PrepareDisconnect } from './accounts/disconnect-account.ts';
import type { Integrations } from './accounts/integrations.ts';
import type { Audit } from './audit.ts';
import type { SessionOf } from './caller.ts';
import type { Attempts } from './oauth/attempts.ts';
import type { OauthProviders } from './oauth/oauth-providers.ts';
import type { GitProviders } from './providers/create-git-providers.ts';
import type { WebhookDeps } from './webhooks/deps.ts';

/** The operator's configuration of integrations. */
export type ConnectSettings = {
  publicUrl: string;
  rateLimits: boolean;
  /** Allows hosts of the private network, and plain http. */
  allowLocalSources: boolean;
  /** The default code hosts, used when the user enters no URL. */
  gitHosts: Record<'github' | 'gitlab', string>;
  dockerHubUrl: string;
};

/** Dependencies of the endpoints of the integrations service. */
export type ConnectDeps = {
  db: Database;
  clock: Pick<Clock, 'now'>;
  openBuckets: OpenBuckets;
  session: SessionOf;
  audit: Audit;
  settings: ConnectSettings;
  /** Refuses private networks, except for hosts configured by the operator. */
  fetch: OutboundFetch;
  /** Decides which sources may be requested. */
  sourcePolicy: SourcePolicy;
  gitProviders: GitProviders;
  integrations: Integrations;
  accounts: AccountAccess;
  attempts: Attempts;
  oauthProviders: OauthProviders;
  prepareDisconnect: PrepareDisconnect;
  webhooks: WebhookDeps;
};
