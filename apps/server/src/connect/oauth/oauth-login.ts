import type { Context } from 'hono';
import { authorizationUrl } from '../../oauth/oauth-client.ts';
import type { ConnectDeps } from '../deps.ts';
import { verifierOf } from './attempts.ts';
import { backToConsole } from './back-to-console.ts';
import { browserKeyOf } from './browser-key.ts';
import { callbackAddress } from './callback-address.ts';

/** GET /oauth/{provider}/login?token=…: sends the browser to the provider. A bearer is no ticket, and does nothing. */
export async function oauthLogin(context: Context, deps: ConnectDeps): Promise<Response> {
  const { publicUrl } = deps.settings;
  const provider = deps.oauthProviders.find(context.req.param('provider') ?? '');
  if (provider === undefined)
    return backToConsole(context, publicUrl, { failed: 'not-configured' });
  const browserKey = browserKeyOf(context, publicUrl);
  const ticket = context.req.query('token');
  const state =
    browserKey && ticket
      ? await deps.attempts.leave(ticket, { provider: provider.name, browserKey })
      : undefined;
  if (browserKey === undefined || state === undefined) {
    return backToConsole(context, publicUrl, { failed: 'expired' });
  }
  const url = await authorizationUrl(provider, {
    redirectUri: callbackAddress(publicUrl, provider.name),
    scope: provider.scope,
    state,
    codeVerifier: verifierOf({ browserKey }, state),
  });
  context.header('cache-control', 'no-store');
  // The ticket stands in the address of this very page.
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(url, 302);
}
