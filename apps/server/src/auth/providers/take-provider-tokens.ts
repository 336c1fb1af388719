import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { registeredUser } from '../current-user.ts';
import type { AuthDeps } from '../deps.ts';
import { toProviderSession } from './provider-tokens.ts';

/** GET /signin/provider/{provider}/callback/tokens: the caller's own, once, soon after the redirect. */
export async function takeProviderTokens(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await registeredUser(context, deps);
  const provider = deps.providers.find(context.req.param('provider') ?? '')?.name;
  if (provider === undefined) throw new AuthProblem('disabled-endpoint');
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
