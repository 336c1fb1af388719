import { connectPath, type OauthTicket, ROUTES, SERVICE_PATHS } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { authorizationUrl } from '../../oauth/oauth-client.ts';
import { connectAccount } from '../accounts/connect-account.ts';
import { requireCaller } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { type FailureReason, ProviderFailure } from '../providers/provider-failure.ts';
import { verifierOf } from './attempts.ts';
import { browserKeyOf, ensureBrowserKey } from './browser-key.ts';
import { callbackUrl, type OauthProvider, type OauthProviderName } from './oauth-providers.ts';
import { exchangeCode } from './request-tokens.ts';

/** Why the account was not connected. */
type OauthFailure = 'denied' | 'expired' | 'refused' | 'unreachable' | 'not-configured';

type SignInOutcome = { connected: OauthProviderName } | { failed: OauthFailure };
type CallbackResult = { provider: OauthProvider; code: string; verifier: string; ownerId: string };

const TicketBody = z.object({ provider: z.string().max(50) });

const FAILURES: Record<FailureReason, OauthFailure> = {
  unauthorized: 'refused',
  'not-found': 'refused',
  refused: 'refused',
  'rate-limited': 'unreachable',
  unreachable: 'unreachable',
  'not-allowed': 'unreachable',
};

/** POST /oauth/tickets: issues a ticket with which this browser can start one sign-in at a provider within a minute. */
export async function issueOauthTicket(context: Context, deps: ConnectDeps): Promise<Response> {
  const userId = await requireCaller(context, deps.session);
  const { provider: providerName } = await jsonBody(context, TicketBody);
  const provider = deps.oauthProviders.find(providerName);
  if (provider === undefined) {
    const message = 'The operator has not set up OAuth for this provider. Use an access token.';
    throw new Problem(404, 'not-configured', message);
  }
  const { publicUrl } = deps.settings;
  requirePublicUrl(context, publicUrl);
  const browserKey = ensureBrowserKey(context, publicUrl);
  const token = await deps.attempts.issueTicket({ userId, provider: provider.name, browserKey });
  const path = connectPath('oauthLogin', { provider: provider.name });
  const url = `${publicUrl}${SERVICE_PATHS.connect[0]}${path}?token=${token}`;
  context.header('cache-control', 'no-store');
  return context.json({ token, url } satisfies OauthTicket);
}

/** GET /oauth/{provider}/login?token=…: redirects the browser to the provider. `token` is the ticket. */
export async function oauthLogin(context: Context, deps: ConnectDeps): Promise<Response> {
  const { publicUrl } = deps.settings;
  const provider = deps.oauthProviders.find(context.req.param('provider') ?? '');
  if (provider === undefined)
    return redirectToConsole(context, publicUrl, { failed: 'not-configured' });
  const browserKey = browserKeyOf(context, publicUrl);
  const ticket = context.req.query('token');
  const state =
    browserKey && ticket
      ? await deps.attempts.start(ticket, { provider: provider.name, browserKey })
      : undefined;
  if (browserKey === undefined || state === undefined) {
    return redirectToConsole(context, publicUrl, { failed: 'expired' });
  }
  const url = await authorizationUrl(provider, {
    redirectUri: callbackUrl(publicUrl, provider.name),
    scope: provider.scope,
    state,
    codeVerifier: verifierOf({ browserKey }, state),
  });
  context.header('cache-control', 'no-store');
  // The URL of this response contains the ticket.
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(url, 302);
}

/** GET /oauth/public/{provider}/callback: the provider redirects the browser here, with a code or an error. */
export async function oauthCallback(context: Context, deps: ConnectDeps): Promise<Response> {
  const { publicUrl } = deps.settings;
  const provider = deps.oauthProviders.find(context.req.param('provider') ?? '');
  if (provider === undefined)
    return redirectToConsole(context, publicUrl, { failed: 'not-configured' });
  const { state = '', code, error } = context.req.query();
  const browserKey = browserKeyOf(context, publicUrl) ?? '';
  const attempt = await deps.attempts.complete(state, { provider: provider.name, browserKey });
  if (attempt === undefined) return redirectToConsole(context, publicUrl, { failed: 'expired' });
  if (code === undefined) {
    const failed = error === 'access_denied' ? 'denied' : 'refused';
    return redirectToConsole(context, publicUrl, { failed });
  }
  try {
    const verifier = verifierOf({ browserKey }, state);
    await exchangeAndConnect(context, deps, { provider, code, verifier, ownerId: attempt.userId });
    return redirectToConsole(context, publicUrl, { connected: provider.name });
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure;
    return redirectToConsole(context, publicUrl, { failed: FAILURES[failure.reason] });
  }
}

/** The provider redirects back to the public URL, where cookies of another origin would be missing. */
function requirePublicUrl({ req }: Context, publicUrl: string): void {
  const origin = req.header('origin');
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  const message = `Open the console at ${publicUrl} to connect this provider.`;
  throw new Problem(409, 'other-address', message);
}

async function exchangeAndConnect(
  context: Context,
  deps: ConnectDeps,
  { provider, code, verifier, ownerId }: CallbackResult,
): Promise<void> {
  const redirectUri = callbackUrl(deps.settings.publicUrl, provider.name);
  const secret = await exchangeCode(provider, { code, verifier, redirectUri }, deps);
  const credentials = { ownerId, provider: provider.name, authType: 'oauth', secret } as const;
  await connectAccount(context, deps, credentials);
}

/** Always redirects to the integrations page: the request cannot choose the target. */
function redirectToConsole(context: Context, publicUrl: string, outcome: SignInOutcome): Response {
  context.header('cache-control', 'no-store');
  // The URL of this response contains the provider's code.
  context.header('referrer-policy', 'no-referrer');
  const query = new URLSearchParams(outcome);
  return context.redirect(`${publicUrl}${ROUTES.integrations}?${query}`, 302);
}
