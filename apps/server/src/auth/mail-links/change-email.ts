import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { requireFreshProof } from '../proof/require-fresh-proof.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { emailField } from '../sign-in-fields.ts';
import { linkOptions, sendLink } from './mail-link.ts';

const Body = z.object({
  newEmail: emailField,
  options: linkOptions,
  codeChallenge: codeChallengeField,
});

/** POST /user/email/change. Mails a link to the new address. The old one stays in use until it is confirmed. */
export async function changeEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const { newEmail, options, codeChallenge } = await jsonBody(context, Body);
  const redirectTo = requireAllowedRedirect(options, deps.settings);
  if ((await deps.users.findByEmail(newEmail)) !== undefined)
    throw new AuthProblem('user-already-exists');
  await deps.users.setNewEmail(user.id, newEmail);
  await deps.audit(context, { kind: 'email-change-asked', userId: user.id });
  await sendLink(
    { user, to: newEmail, purpose: 'emailConfirmChange', redirectTo, codeChallenge },
    deps,
  );
  return context.json('OK');
}
