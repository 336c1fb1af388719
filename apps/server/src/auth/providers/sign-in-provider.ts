import { isStorable } from '@longshore/contract';
import type { Context } from 'hono';
import { OAuthFailure } from '../../oauth/bounded-fetch.ts';
import { authorizationUrl } from '../../oauth/oauth-client.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { assertFreshProof } from '../proof/require-fresh-proof.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { type SignUpOptions, signUpFields, signUpOptions } from '../sign-up-options.ts';
import { saveAttempt } from './attempt-cookie.ts';
import { callbackUrl } from './provider.ts';
import { redirectWithParameters } from './redirect-with-parameters.ts';

/** GET /signin/provider/{provider}. Redirects the browser to the provider. */
export async function signInProvider(context: Context, deps: AuthDeps): Promise<Response> {
  const { redirectTo, connect, state } = context.req.query();
  const target = allowedRedirect(redirectTo, deps.settings);
  if (target === undefined) throw new AuthProblem('redirectTo-not-allowed');
  try {
    const url = await startAttempt(context, deps, { target, connect, callerState: state });
    context.header('Cache-Control', 'no-store');
    return context.redirect(url, 302);
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    const parameters = { error: error.code, errorDescription: error.message, state };
    return redirectWithParameters(context, target, parameters);
  }
}

type SignInQuery = {
  target: string;
  /** The access token of the user to link the account to. */
  connect: string | undefined;
  callerState: string | undefined;
};

/** Saves the attempt in a cookie and returns the provider's URL. */
async function startAttempt(
  context: Context,
  deps: AuthDeps,
  { target, connect, callerState }: SignInQuery,
): Promise<string> {
  const provider = deps.providers.find(context.req.param('provider') ?? '');
  if (provider === undefined) throw new AuthProblem('disabled-endpoint');
  const options = optionsOfQuery(context.req.query());
  const challenge = codeChallengeField.safeParse(context.req.query('codeChallenge'));
  if (!challenge.success) throw new AuthProblem('invalid-request');
  if (connect !== undefined && isForeignNavigation(context, deps.settings))
    throw new AuthProblem('invalid-request');
  const linkTo = connect === undefined ? undefined : await sessionToLink(connect, deps);
  const { generateRandomCodeVerifier, generateRandomNonce, generateRandomState } = await import(
    'oauth4webapi'
  );
  const state = generateRandomState();
  const nonce = generateRandomNonce();
  const verifier = generateRandomCodeVerifier();
  const client = await provider.oauthClient().catch(providerProblem);
  const url = await authorizationUrl(client, {
    redirectUri: callbackUrl(deps.settings.publicUrl, provider.name),
    scope: provider.scopes.join(' '),
    state,
    codeVerifier: verifier,
    nonce: provider.scopes.includes('openid') ? nonce : undefined,
  });
  saveAttempt(
    context,
    {
      provider: provider.name,
      state,
      verifier,
      nonce,
      redirectTo: target,
      callerState,
      codeChallenge: challenge.data,
      linkTo,
      options,
    },
    deps,
  );
  return url;
}

/** Sign-up options in a query: clients write lists with commas and objects as JSON. */
function optionsOfQuery(query: Record<string, string>): SignUpOptions {
  const { allowedRoles, defaultRole, displayName, locale, metadata } = query;
  const options = signUpOptions.safeParse({
    defaultRole,
    displayName,
    locale,
    allowedRoles: allowedRoles?.split(',').filter((role) => role !== ''),
    metadata: metadata === undefined ? undefined : parseJson(metadata),
  });
  if (!options.success || !isStorable(options.data)) throw new AuthProblem('invalid-request');
  // Refuses invalid roles before the redirect to the provider.
  signUpFields(options.data, '');
  return options.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AuthProblem('invalid-request', { cause });
  }
}

/**
 * Whether a page of another site sent the browser here. With its own access token in `connect`, such a page would link
 * the victim's provider account to the attacker's user. An operator with clients on other sites allows it through
 * `allowedRedirects`.
 */
function isForeignNavigation(
  context: Context,
  { allowedRedirects }: AuthDeps['settings'],
): boolean {
  return context.req.header('sec-fetch-site') === 'cross-site' && allowedRedirects.length === 0;
}

/** The session whose access token is in `connect`. Its user must be registered and must have proved their identity. */
async function sessionToLink(
  connect: string,
  { accessTokens, users, clock }: AuthDeps,
): Promise<{ userId: string; sessionId: string }> {
  const verification = await accessTokens.verify(connect);
  if (verification.kind !== 'valid') throw new AuthProblem('invalid-request');
  const current = await users.findBySession(verification.identified);
  if (current === undefined) throw new AuthProblem('invalid-request');
  const { user, session } = current;
  if (user.disabled) throw new AuthProblem('disabled-user');
  if (user.is_anonymous) throw new AuthProblem('forbidden-anonymous');
  assertFreshProof(current, clock);
  return { userId: user.id, sessionId: session.id };
}

function providerProblem(cause: unknown): never {
  if (cause instanceof OAuthFailure) throw new AuthProblem('oauth-provider-error', { cause });
  throw cause;
}
