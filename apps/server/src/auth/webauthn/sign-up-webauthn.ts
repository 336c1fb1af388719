import { randomUUID } from 'node:crypto';
import { isStorable } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { emailField } from '../sign-in-fields.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import type { WebauthnDeps } from './deps.ts';
import { creationOptions } from './options.ts';

const Body = z.object({ email: emailField, options: signUpOptions });

/** POST /signup/webauthn. The user comes to be only once the key has answered. */
export async function signUpWebauthn(
  context: Context,
  { db, users, signUpPolicy, challenges, relyingParty, settings }: WebauthnDeps,
): Promise<Response> {
  const { email, options } = await jsonBody(context, Body);
  await signUpPolicy.check(db);
  const chosen = signUpFields(options, email);
  requireAllowedRedirect(options, settings);
  if ((await users.findByEmail(email)) !== undefined) throw new AuthProblem('user-already-exists');

  const id = randomUUID();
  const details = { id, email, options: options ?? {} };
  if (!isStorable(details)) throw new AuthProblem('invalid-request');
  const challenge = await challenges.issue({ purpose: 'webauthn-sign-up', details });
  const user = { id, name: email, displayName: chosen.displayName };
  return context.json(creationOptions({ relyingParty, challenge, user, credentialIds: [] }));
}
