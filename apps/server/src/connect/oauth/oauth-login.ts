import type { Context } from 'hono';
import { authorizationUrl } from '../../oauth/oauth-client.ts';
import type { ConnectDeps } from '../deps.ts';
import { verifierOf } from './attempts.ts';
import { browserKeyOf } from './browser-key.ts';
import { callbackUrl } from './oauth-providers.ts';
import { redirectToConsole } from './redirect-to-console.ts';

/** GET /oauth/{provider}/login?token=…: redirects the browser to the provider. `token` is a ticket, not an access token. */
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
