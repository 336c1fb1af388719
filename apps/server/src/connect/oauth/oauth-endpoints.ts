import { CONNECT_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { ConnectDeps } from '../deps.ts';
import { oauthCallback } from './oauth-callback.ts';
import { oauthLogin } from './oauth-login.ts';
import { issueOauthTicket } from './oauth-tickets.ts';

/** Connecting by a visit to the provider. */
export function createOauthEndpoints(deps: ConnectDeps): Hono {
  return new Hono()
    .post(CONNECT_PATHS.oauthTickets, (context) => issueOauthTicket(context, deps))
    .get(CONNECT_PATHS.oauthLogin, (context) => oauthLogin(context, deps))
    .get(CONNECT_PATHS.oauthCallback, (context) => oauthCallback(context, deps));
}
