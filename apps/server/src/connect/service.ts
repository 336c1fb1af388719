import { Hono } from 'hono';
import { createAccountEndpoints } from './accounts/account-endpoints.ts';
import type { ConnectDeps } from './deps.ts';
import { limitCallers } from './limit-callers.ts';
import { createOauthEndpoints } from './oauth/oauth-endpoints.ts';
import { createRepositoryEndpoints } from './repositories/repository-endpoints.ts';
import { createWebhookEndpoints } from './webhooks/webhook-endpoints.ts';

/** The integrations service: accounts elsewhere, and what apps take from there. Spec §7. */
export function createConnectService(deps: ConnectDeps): Hono {
  return new Hono()
    .route('/', limitCallers(deps))
    .route('/', createAccountEndpoints(deps))
    .route('/', createOauthEndpoints(deps))
    .route('/', createRepositoryEndpoints(deps))
    .route('/', createWebhookEndpoints(deps.webhooks));
}
