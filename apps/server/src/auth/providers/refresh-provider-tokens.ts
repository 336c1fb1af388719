import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { registeredUser } from '../current-user.ts';
import type { AuthDeps } from '../deps.ts';
import { hasLink } from './account-links.ts';
import { refreshTokens } from './ask-for-tokens.ts';
import { providerTokensOf, toProviderSession } from './provider-tokens.ts';

const TOKEN_MAX_LENGTH = 10_000;
const Body = z.object({ refreshToken: z.string().min(1).max(TOKEN_MAX_LENGTH) });

/** POST /token/provider/{provider}, for who has an account there. Nothing is kept: the caller holds the tokens. */
export async function refreshProviderTokens(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await registeredUser(context, deps);
  const { refreshToken } = await jsonBody(context, Body);
  const provider = deps.providers.find(context.req.param('provider') ?? '');
  if (provider === undefined) throw new AuthProblem('disabled-endpoint');
  const owner = { userId: user.id, provider: provider.name };
  if (!(await hasLink(deps.db, owner))) throw new AuthProblem('invalid-request');
  const now = deps.clock.now();
  const tokens = await refreshTokens(provider, deps.fetch, refreshToken)
    .then((answer) => providerTokensOf(answer, now))
    .catch((cause) => {
      throw new AuthProblem('oauth-token-echange-failed', { cause });
    });
  await deps.audit(context, {
    kind: 'provider-tokens-refreshed',
    userId: user.id,
    details: { provider: provider.name },
  });
  context.header('cache-control', 'no-store');
  return context.json(toProviderSession(tokens, now));
}
