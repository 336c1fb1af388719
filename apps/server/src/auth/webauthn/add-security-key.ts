import type { Context } from 'hono';
import { requireRegisteredUser } from '../require-registered-user.ts';
import type { WebauthnDeps } from './deps.ts';
import { creationOptions } from './options.ts';

/** POST /user/webauthn/add. */
export async function addSecurityKey(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
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
