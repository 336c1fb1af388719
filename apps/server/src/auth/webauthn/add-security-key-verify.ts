import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { nicknameField, registrationField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { registration } from './verify-registration.ts';

const Body = z.object({ credential: registrationField, nickname: nicknameField });

/** POST /user/webauthn/verify. */
export async function addSecurityKeyVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { credential, nickname } = await jsonBody(context, Body);
  const { key, redeemed } = await registration(credential, 'webauthn-add', deps);
  if (redeemed.userId !== user.id) throw new AuthProblem('invalid-request');
  const added = await deps.securityKeys.insert(user.id, key, nickname);
  if (added === undefined) throw new AuthProblem('invalid-request');
  await deps.audit(context, {
    kind: 'security-key-added',
    userId: user.id,
    details: { keyId: added.id },
  });
  return context.json({ id: added.id, ...(nickname === undefined ? {} : { nickname }) });
}
