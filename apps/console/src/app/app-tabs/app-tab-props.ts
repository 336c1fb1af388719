import type { IntegrationResource } from '@longshore/contract';
import type { AppPageState } from '../../features/apps/use-app-page.ts';
import type { DomainsOfApp } from '../../features/domains/use-app-domains.ts';
import type { AppAction } from '../../features/releases/use-redeploy.ts';
import type { ReleasesState } from '../../features/releases/use-releases.ts';
import type { WebhookQuery } from '../../features/webhooks/use-webhook.ts';

/** What every tab of an app gets. */
export type AppTabProps = {
  page: AppPageState;
  releases: ReleasesState;
  restart: AppAction;
  redeploy: AppAction;
  webhook: WebhookQuery;
  domains: DomainsOfApp;
  integrations: IntegrationResource[];
  onEdit(): void;
};
