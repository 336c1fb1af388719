import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { refreshTokens } from '../../oauth/oauth-client.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { hasLink } from './account-links.ts';
import type { NamedProvider } from './create-providers.ts';
import { toProviderSession, toProviderTokens } from './provider-tokens.ts';

/** GET /signin/provider/{provider}/callback/tokens: the caller's tokens, once, within minutes of the redirect. */
export async function takeProviderTokens(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const provider = enabledProvider(context, deps).name;
  const tokens = await deps.providerSessions.take({ userId: user.id, provider });
  if (tokens === undefined) throw new AuthProblem('invalid-request');
  await deps.audit(context, {
    kind: 'provider-tokens-taken',
    userId: user.id,
    details: { provider },
  });
  context.header('cache-control', 'no-store');
  return context.json(toProviderSession(tokens, deps.clock.now()));
}

const TOKEN_MAX_LENGTH = 10_000;
const RefreshBody = z.object({ refreshToken: z.string().min(1).max(TOKEN_MAX_LENGTH) });

/** POST /token/provider/{provider}, for users with a linked account. The new tokens are not stored. */
export async function refreshProviderTokens(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { refreshToken } = await jsonBody(context, RefreshBody);
  const provider = enabledProvider(context, deps);
  const owner = { userId: user.id, provider: provider.name };
  if (!(await hasLink(deps.db, owner))) throw new AuthProblem('invalid-request');
  const now = deps.clock.now();
  const tokens = await provider
    .oauthClient()
    .then((client) => refreshTokens(client, refreshToken, deps.fetch))
    .catch((cause) => {
      throw new AuthProblem('oauth-token-echange-failed', { cause });
    });
  await deps.audit(context, {
    kind: 'provider-tokens-refreshed',
    userId: user.id,
    details: { provider: provider.name },
  });
  context.header('cache-control', 'no-store');
  return context.json(toProviderSession(toProviderTokens(tokens, now), now));
}

function enabledProvider(context: Context, { providers }: AuthDeps): NamedProvider {
  const provider = providers.find(context.req.param('provider') ?? '');
  if (provider === undefined) throw new AuthProblem('disabled-endpoint');
  return provider;
}
