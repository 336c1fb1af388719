import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { registeredUser } from '../current-user.ts';
import { refuseByState } from '../user-state.ts';
import { assertion } from './assertion.ts';
import { assertionField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';

const Body = z.object({ credential: assertionField });

/** POST /elevate/webauthn/verify. The elevation lasts as long as the access token; a refresh ends it. */
export async function elevateWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { user } = await registeredUser(context, deps);
  refuseByState(user, deps.settings);
  const { credential } = await jsonBody(context, Body);
  const key = await assertion(context, { credential, purpose: 'webauthn-elevate' }, deps);
  if (key.user_id !== user.id) throw new AuthProblem('invalid-request');
  const session = await deps.sessions.open(user, context);
  const sessionId = session.refreshTokenId;
  const accessToken = deps.accessTokens.sign(user, { isElevated: true, sessionId });
  await deps.audit(context, { kind: 'elevated', userId: user.id, details: { keyId: key.id } });
  return context.json({ session: { ...session, accessToken } });
}
