import { CONNECT_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { ConnectDeps } from '../deps.ts';
import { connectDockerHub, connectRegistry } from './connect-registry.ts';
import { connectToken } from './connect-token.ts';
import { deleteIntegration } from './delete-integration.ts';

/** Connecting with credentials, and parting. */
export function createAccountEndpoints(deps: ConnectDeps): Hono {
  return new Hono()
    .post(CONNECT_PATHS.connectDockerHub, (context) => connectDockerHub(context, deps))
    .post(CONNECT_PATHS.connectRegistry, (context) => connectRegistry(context, deps))
    .post(CONNECT_PATHS.connectToken, (context) => connectToken(context, deps))
    .delete(CONNECT_PATHS.integration, (context) => deleteIntegration(context, deps));
}
