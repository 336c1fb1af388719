import type { Context } from 'hono';
import { connectAccount } from '../accounts/connect-account.ts';
import type { ConnectDeps } from '../deps.ts';
import { type FailureReason, ProviderFailure } from '../providers/provider-failure.ts';
import { verifierOf } from './attempts.ts';
import { browserKeyOf } from './browser-key.ts';
import type { OauthProvider } from './oauth-providers.ts';
import { callbackUrl } from './oauth-providers.ts';
import { type OauthFailure, redirectToConsole } from './redirect-to-console.ts';
import { exchangeCode } from './request-tokens.ts';

const FAILURES: Record<FailureReason, OauthFailure> = {
  unauthorized: 'refused',
  'not-found': 'refused',
  refused: 'refused',
  'rate-limited': 'unreachable',
  unreachable: 'unreachable',
  'not-allowed': 'unreachable',
};

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
    await finish(context, deps, { provider, code, verifier, ownerId: attempt.userId });
    return redirectToConsole(context, publicUrl, { connected: provider.name });
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure;
    return redirectToConsole(context, publicUrl, { failed: FAILURES[failure.reason] });
  }
}

type CallbackResult = { provider: OauthProvider; code: string; verifier: string; ownerId: string };

async function finish(
  context: Context,
  deps: ConnectDeps,
  { provider, code, verifier, ownerId }: CallbackResult,
): Promise<void> {
  const redirectUri = callbackUrl(deps.settings.publicUrl, provider.name);
  const secret = await exchangeCode(provider, { code, verifier, redirectUri }, deps);
  const credentials = { ownerId, provider: provider.name, authType: 'oauth', secret } as const;
  await connectAccount(context, deps, credentials);
}
