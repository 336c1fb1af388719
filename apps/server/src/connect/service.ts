import { CONNECT_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import { connectDockerHub, connectRegistry } from './accounts/connect-registry.ts';
import { connectToken } from './accounts/connect-token.ts';
import { deleteIntegration } from './accounts/delete-integration.ts';
import type { ConnectDeps } from './deps.ts';
import { issueOauthTicket, oauthCallback, oauthLogin } from './oauth/oauth-endpoints.ts';
import { createRateLimits } from './rate-limits.ts';
import { createRepositoryEndpoints } from './repositories/repository-endpoints.ts';
import { listDeliveries, replayDelivery } from './webhooks/app-deliveries.ts';
import { setWebhook, showWebhook } from './webhooks/app-webhook.ts';
import {
  callDeployHook,
  createDeployHook,
  refuseDeployHookMethod,
  removeDeployHook,
  showDeployHook,
} from './webhooks/deploy-hook.ts';
import type { WebhookDeps } from './webhooks/deps.ts';
import { receiveDelivery } from './webhooks/receive-delivery.ts';

/** The integrations service: accounts at code hosts and registries, their repositories, webhooks and deploy hooks. */
export function createConnectService(deps: ConnectDeps): Hono {
  return new Hono()
    .route('/', createRateLimits(deps))
    .route('/', createAccountEndpoints(deps))
    .route('/', createOauthEndpoints(deps))
    .route('/', createRepositoryEndpoints(deps))
    .route('/', createWebhookEndpoints(deps.webhooks));
}

function createAccountEndpoints(deps: ConnectDeps): Hono {
  return new Hono()
    .post(CONNECT_PATHS.connectDockerHub, (context) => connectDockerHub(context, deps))
    .post(CONNECT_PATHS.connectRegistry, (context) => connectRegistry(context, deps))
    .post(CONNECT_PATHS.connectToken, (context) => connectToken(context, deps))
    .delete(CONNECT_PATHS.integration, (context) => deleteIntegration(context, deps));
}

function createOauthEndpoints(deps: ConnectDeps): Hono {
  return new Hono()
    .post(CONNECT_PATHS.oauthTickets, (context) => issueOauthTicket(context, deps))
    .get(CONNECT_PATHS.oauthLogin, (context) => oauthLogin(context, deps))
    .get(CONNECT_PATHS.oauthCallback, (context) => oauthCallback(context, deps));
}

function createWebhookEndpoints(deps: WebhookDeps): Hono {
  return new Hono()
    .post(CONNECT_PATHS.hook, (context) => receiveDelivery(context, deps))
    .get(CONNECT_PATHS.webhook, (context) => showWebhook(context, deps))
    .post(CONNECT_PATHS.webhook, (context) => setWebhook(context, deps))
    .get(CONNECT_PATHS.deliveries, (context) => listDeliveries(context, deps))
    .post(CONNECT_PATHS.replayDelivery, (context) => replayDelivery(context, deps))
    .get(CONNECT_PATHS.deployHook, (context) => showDeployHook(context, deps))
    .post(CONNECT_PATHS.deployHook, (context) => createDeployHook(context, deps))
    .delete(CONNECT_PATHS.deployHook, (context) => removeDeployHook(context, deps))
    .get(CONNECT_PATHS.callDeployHook, refuseDeployHookMethod)
    .post(CONNECT_PATHS.callDeployHook, (context) => callDeployHook(context, deps));
}
