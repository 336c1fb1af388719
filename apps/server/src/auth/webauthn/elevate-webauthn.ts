import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import type { WebauthnDeps } from './deps.ts';
import { requestOptions } from './options.ts';

/** POST /elevate/webauthn. Whose keys are meant is said by the bearer, whatever the body says. */
export async function elevateWebauthn(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const keys = await deps.securityKeys.ofUser(user.id);
  if (keys.length === 0) throw new AuthProblem('invalid-request');
  const challenge = await deps.challenges.issue({ purpose: 'webauthn-elevate', userId: user.id });
  const credentialIds = keys.map((key) => key.credential_id);
  return context.json(
    requestOptions({ relyingParty: deps.relyingParty, challenge, credentialIds }),
  );
}
