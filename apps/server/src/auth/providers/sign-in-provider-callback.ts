import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { exchangeCode } from '../../oauth/oauth-client.ts';
import { AuthProblem } from '../auth-problem.ts';
import { redirectParameters } from '../code-exchange/token-exchange.ts';
import type { AuthDeps } from '../deps.ts';
import { linkAccount } from './account-links.ts';
import { type Attempt, takeAttempt } from './attempt-cookie.ts';
import type { NamedProvider } from './create-providers.ts';
import type { Profile } from './profile.ts';
import { callbackUrl } from './provider.ts';
import { type ProviderTokens, toProviderTokens } from './provider-tokens.ts';
import { redirectWithParameters } from './redirect-with-parameters.ts';
import { resolveAccountUser } from './resolve-account-user.ts';

const PROVIDER_TEXT_MAX_LENGTH = 500;

/** GET /signin/provider/{provider}/callback, the redirect URI of the authorization code flow. */
export async function signInProviderCallback(context: Context, deps: AuthDeps): Promise<Response> {
  const { publicUrl } = deps.settings;
  const query = context.req.query();
  const provider = deps.providers.find(context.req.param('provider') ?? '');
  if (provider === undefined)
    return redirectWithParameters(context, publicUrl, errorParameters('disabled-endpoint'));
  const attempt = takeAttempt(context, { provider: provider.name, state: query.state }, deps);
  if (query.error !== undefined) {
    return redirectWithParameters(context, publicUrl, {
      ...errorParameters('oauth-provider-error'),
      provider_error: truncate(query.error),
      provider_error_description: truncate(query.error_description),
      provider_error_url: truncate(query.error_uri),
    });
  }
  if (attempt === undefined) {
    const parameters = errorParameters('invalid-state');
    const provider_state = truncate(query.state);
    return redirectWithParameters(context, publicUrl, { ...parameters, provider_state });
  }
  const parameters = await outcomeParameters(context, deps, {
    provider,
    attempt,
    code: query.code ?? '',
  });
  const state = attempt.callerState;
  return redirectWithParameters(context, attempt.redirectTo, { ...parameters, state });
}

/**
 * POST of the same path, for providers that respond with a form. The attempt cookie is sent with top-level GET
 * navigations only, so the browser is redirected to the GET endpoint.
 */
export async function signInProviderForm(context: Context): Promise<Response> {
  const form = new URLSearchParams(await context.req.text());
  const query = new URLSearchParams();
  for (const name of ['code', 'state', 'error', 'error_description', 'error_uri']) {
    const value = form.get(name);
    if (value !== null) query.set(name, value);
  }
  context.header('Cache-Control', 'no-store');
  return context.redirect(`${new URL(context.req.url).pathname}?${query}`, 303);
}

type Callback = { provider: NamedProvider; attempt: Attempt; code: string };

/** Query parameters for the client: those of a sign-in, none after linking, or the error. */
async function outcomeParameters(
  context: Context,
  deps: AuthDeps,
  callback: Callback,
): Promise<Record<string, string>> {
  try {
    return await finishAttempt(context, deps, callback);
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    const { provider, attempt } = callback;
    await deps.audit(context, {
      kind: 'sign-in-refused',
      userId: attempt.linkTo?.userId,
      details: { provider: provider.name, error: error.code, reason: reasonOf(error) },
    });
    return { error: error.code, errorDescription: error.message };
  }
}

async function finishAttempt(
  context: Context,
  deps: AuthDeps,
  callback: Callback,
): Promise<Record<string, string>> {
  const { profile, tokens } = await fetchAccount(deps, callback);
  const provider = callback.provider.name;
  const { options, codeChallenge, linkTo } = callback.attempt;
  const sealed = deps.providerSessions.seal(tokens);
  if (linkTo !== undefined) {
    // The session may have been signed out since the user left for the provider.
    if ((await deps.users.findBySession(linkTo)) === undefined)
      throw new AuthProblem('unauthorized');
    const { userId } = linkTo;
    await linkAccount(context, deps, { provider, profile, userId });
    await deps.providerSessions.save({ userId, provider }, sealed);
    return {};
  }
  const { user, effects } = await resolveAccountUser(context, deps, { provider, profile, options });
  const signIn = {
    user,
    way: 'provider',
    effects: { ...effects, providerTokens: { provider, sealed } },
    event: { kind: 'signed-in', details: { provider } },
  } as const;
  return await redirectParameters(context, deps, { signIn, codeChallenge });
}

async function fetchAccount(
  { settings, fetch, clock }: AuthDeps,
  { provider, attempt, code }: Callback,
): Promise<{ profile: Profile; tokens: ProviderTokens }> {
  const redirectUri = callbackUrl(settings.publicUrl, provider.name);
  const exchange = { code, redirectUri, codeVerifier: attempt.verifier };
  const tokens = await provider
    .oauthClient()
    .then((client) => exchangeCode(client, exchange, fetch))
    .catch((cause) => {
      throw new AuthProblem('oauth-token-echange-failed', { cause });
    });
  const profile = await provider.profile(tokens, attempt.nonce).catch((cause) => {
    throw new AuthProblem('oauth-profile-fetch-failed', { cause });
  });
  return { profile, tokens: toProviderTokens(tokens, clock.now()) };
}

function errorParameters(code: AuthErrorCode) {
  return { error: code, errorDescription: AUTH_ERRORS[code].message };
}

/** The query is untrusted input of any length. */
function truncate(text: string | undefined): string | undefined {
  return text?.slice(0, PROVIDER_TEXT_MAX_LENGTH);
}

/** The provider's failure, for the audit log. */
function reasonOf({ cause }: AuthProblem): string {
  return cause instanceof Error ? cause.message.slice(0, PROVIDER_TEXT_MAX_LENGTH) : '';
}
