import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { emailField } from '../sign-in-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { requestOptions } from './options.ts';

/** An id that no user has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const Body = z.object({ email: emailField.nullish() });

/** POST /signin/webauthn. Without an address, whichever key the person picks says who it is. */
export async function signInWebauthn(
  context: Context,
  { users, challenges, securityKeys, relyingParty }: WebauthnDeps,
): Promise<Response> {
  const { email } = await jsonBody(context, Body);
  if (email === null || email === undefined) {
    const challenge = await challenges.issue({ purpose: 'webauthn-sign-in' });
    return context.json(requestOptions({ relyingParty, challenge }));
  }
  // An unknown address looks and costs like one without keys.
  const user = await users.findByEmail(email);
  const keys = await securityKeys.ofUser(user?.id ?? NOBODY);
  if (keys.length === 0) throw new AuthProblem('invalid-request');
  const challenge = await challenges.issue({ purpose: 'webauthn-sign-in', userId: user?.id });
  const credentialIds = keys.map((key) => key.credential_id);
  return context.json(requestOptions({ relyingParty, challenge, credentialIds }));
}
