import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { type Attempt, takeAttempt } from './attempt.ts';
import { callbackAddress } from './callback-address.ts';
import type { Providers } from './create-providers.ts';
import { exchangeCode } from './exchange-code.ts';
import { linkAccount } from './link-account.ts';
import type { Profile } from './provider.ts';
import { sendBack } from './send-back.ts';
import { signInAccount } from './sign-in-account.ts';

const PROVIDER_TEXT_MAX_LENGTH = 500;

type Found = NonNullable<ReturnType<Providers['find']>>;

/** GET /signin/provider/{provider}/callback. The provider sends the browser back. */
export async function signInProviderCallback(context: Context, deps: AuthDeps): Promise<Response> {
  const { publicUrl } = deps.settings;
  const query = context.req.query();
  const provider = deps.providers.find(context.req.param('provider') ?? '');
  if (provider === undefined) return sendBack(context, publicUrl, words('disabled-endpoint'));
  const attempt = takeAttempt(context, { provider: provider.name, state: query.state }, deps);
  if (query.error !== undefined) {
    return sendBack(context, publicUrl, {
      ...words('oauth-provider-error'),
      provider_error: bounded(query.error),
      provider_error_description: bounded(query.error_description),
      provider_error_url: bounded(query.error_uri),
    });
  }
  if (attempt === undefined) {
    const invalid = { ...words('invalid-state'), provider_state: bounded(query.state) };
    return sendBack(context, publicUrl, invalid);
  }
  const outcome = await arrive(context, deps, { provider, attempt, code: query.code ?? '' });
  return sendBack(context, attempt.redirectTo, { ...outcome, state: attempt.callerState });
}

/** POST of the same address, from a form. Its cookie comes only with a navigation, so the browser is sent around. */
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

type Arrival = { provider: Found; attempt: Attempt; code: string };

/** What the address says at the end: a refresh token, nothing after a link, or why not. */
async function arrive(
  context: Context,
  deps: AuthDeps,
  { provider, attempt, code }: Arrival,
): Promise<Record<string, string>> {
  try {
    const profile = await profileOf(deps, { provider, attempt, code });
    if (attempt.linkTo === undefined) {
      const { options } = attempt;
      const signIn = { provider: provider.name, profile, options };
      const { refreshToken } = await signInAccount(context, deps, signIn);
      return { refreshToken };
    }
    const link = { provider: provider.name, profile, userId: attempt.linkTo };
    await linkAccount(context, deps, link);
    return {};
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    await deps.audit(context, {
      kind: 'sign-in-refused',
      userId: attempt.linkTo,
      details: { provider: provider.name, error: error.code, reason: reasonOf(error) },
    });
    return { error: error.code, errorDescription: error.message };
  }
}

async function profileOf(
  { settings, fetch }: AuthDeps,
  { provider, attempt, code }: Arrival,
): Promise<Profile> {
  const redirectUri = callbackAddress(settings.publicUrl, provider.name);
  const tokens = await exchangeCode(provider, fetch, {
    code,
    redirectUri,
    verifier: attempt.verifier,
  }).catch((cause) => {
    throw new AuthProblem('oauth-token-echange-failed', { cause });
  });
  return await provider.profile(tokens, attempt.nonce).catch((cause) => {
    throw new AuthProblem('oauth-profile-fetch-failed', { cause });
  });
}

function words(code: AuthErrorCode) {
  return { error: code, errorDescription: AUTH_ERRORS[code].message };
}

/** Anybody can open this address with anything in it. */
function bounded(text: string | undefined): string | undefined {
  return text?.slice(0, PROVIDER_TEXT_MAX_LENGTH);
}

/** For the operator: what the provider did. */
function reasonOf({ cause }: AuthProblem): string {
  return cause instanceof Error ? cause.message.slice(0, PROVIDER_TEXT_MAX_LENGTH) : '';
}
