import type { SecurityKey } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { requireFreshProof } from '../proof/require-fresh-proof.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { nicknameField, registrationField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { creationOptions } from './options.ts';
import { verifyRegistration } from './verify-registration.ts';

/** POST /user/webauthn/add. */
export async function addSecurityKey(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const keys = await deps.securityKeys.ofUser(user.id);
  const challenge = await deps.challenges.issue({ purpose: 'webauthn-add', userId: user.id });
  return context.json(
    creationOptions({
      relyingParty: deps.relyingParty,
      challenge,
      user: { id: user.id, name: user.email ?? user.display_name, displayName: user.display_name },
      credentialIds: keys.map((key) => key.credential_id),
    }),
  );
}

const AddBody = z.object({ credential: registrationField, nickname: nicknameField });

/** POST /user/webauthn/verify. */
export async function addSecurityKeyVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const { credential, nickname } = await jsonBody(context, AddBody);
  const { key, redeemed } = await verifyRegistration(credential, 'webauthn-add', deps);
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

/** GET /user/security-keys. Not used by nhost-js. */
export async function listSecurityKeys(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const keys = await deps.securityKeys.ofUser(user.id);
  return context.json({
    securityKeys: keys.map(
      ({ id, nickname, created_at }): SecurityKey => ({
        id,
        nickname,
        createdAt: created_at.toISOString(),
      }),
    ),
  });
}

const KeyId = z.guid();

/** DELETE /user/security-keys/:id. Not used by nhost-js. */
export async function removeSecurityKey(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const id = KeyId.safeParse(context.req.param('id')).data;
  if (id === undefined || !(await deps.securityKeys.remove(user.id, id)))
    throw new AuthProblem('invalid-request');
  await deps.audit(context, {
    kind: 'security-key-removed',
    userId: user.id,
    details: { keyId: id },
  });
  return context.json('OK');
}
