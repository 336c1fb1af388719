import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { ProviderFailure } from './ask-provider.ts';
import { keepAttempt } from './attempt.ts';
import { callbackAddress } from './callback-address.ts';
import { queryOptions } from './query-options.ts';
import { sendBack } from './send-back.ts';

/** GET /signin/provider/{provider}. Sends the browser to the provider. */
export async function signInProvider(context: Context, deps: AuthDeps): Promise<Response> {
  const { redirectTo, connect, state } = context.req.query();
  const target = allowedRedirect(redirectTo, deps.settings);
  if (target === undefined) throw new AuthProblem('redirectTo-not-allowed');
  try {
    const address = await leave(context, deps, { target, connect, callerState: state });
    context.header('Cache-Control', 'no-store');
    return context.redirect(address, 302);
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    const words = { error: error.code, errorDescription: error.message, state };
    return sendBack(context, target, words);
  }
}

type Wish = { target: string; connect: string | undefined; callerState: string | undefined };

async function leave(
  context: Context,
  deps: AuthDeps,
  { target, connect, callerState }: Wish,
): Promise<string> {
  const provider = deps.providers.find(context.req.param('provider') ?? '');
  if (provider === undefined) throw new AuthProblem('disabled-endpoint');
  const options = queryOptions(context.req.query());
  const challenge = codeChallengeField.safeParse(context.req.query('codeChallenge'));
  if (!challenge.success) throw new AuthProblem('invalid-request');
  if (connect !== undefined && isSentByOthers(context, deps.settings))
    throw new AuthProblem('invalid-request');
  const linkTo = connect === undefined ? undefined : await userToLink(connect, deps);
  const { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } = await import(
    'arctic'
  );
  const [state, verifier, nonce] = [generateState(), generateCodeVerifier(), generateState()];
  const { authorization } = await provider.endpoints().catch(providerProblem);
  const { clientId } = provider.client;
  const redirectUri = callbackAddress(deps.settings.publicUrl, provider.name);
  const address = new OAuth2Client(clientId, null, redirectUri).createAuthorizationURLWithPKCE(
    authorization,
    state,
    CodeChallengeMethod.S256,
    verifier,
    provider.scopes,
  );
  if (provider.scopes.includes('openid')) address.searchParams.set('nonce', nonce);
  keepAttempt(
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
  return address.href;
}

/**
 * Whether a page of another site sent the browser here: with its own access token it would have a stranger's account
 * at the provider linked to its own user. Browsers say so; an operator with pages elsewhere allows it.
 */
function isSentByOthers(context: Context, { allowedRedirects }: AuthDeps['settings']): boolean {
  return context.req.header('sec-fetch-site') === 'cross-site' && allowedRedirects.length === 0;
}

/** The registered user behind the access token that asks for a link. */
async function userToLink(connect: string, { accessTokens, users }: AuthDeps): Promise<string> {
  const verdict = await accessTokens.verify(connect);
  if (verdict.kind !== 'valid') throw new AuthProblem('invalid-request');
  const user = await users.findBySession(verdict.identified);
  if (user === undefined) throw new AuthProblem('invalid-request');
  if (user.disabled) throw new AuthProblem('disabled-user');
  if (user.is_anonymous) throw new AuthProblem('forbidden-anonymous');
  return user.id;
}

function providerProblem(cause: unknown): never {
  if (cause instanceof ProviderFailure) throw new AuthProblem('oauth-provider-error', { cause });
  throw cause;
}
