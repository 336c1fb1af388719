import type { TotpSecret } from '@longshore/contract';
import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { newTotpSecret, totpUri } from './totp.ts';

const IMAGE_WIDTH_PX = 200;

/** GET /mfa/totp/generate. The secret has no effect until the user activates it with a code. */
export async function generateTotp(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const secret = newTotpSecret();
  const stored = await deps.db
    .updateTable('auth.users')
    .set({ totp_secret: deps.seal.close(secret), last_totp_step: null })
    .where('id', '=', user.id)
    .where('active_mfa_type', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (stored === undefined) throw new AuthProblem('totp-already-active');
  const { toDataURL } = await import('qrcode');
  const uri = totpUri(secret, user.email ?? user.phone_number ?? user.id);
  return context.json({
    imageUrl: await toDataURL(uri, { type: 'image/png', width: IMAGE_WIDTH_PX, margin: 1 }),
    totpSecret: secret.reveal(),
  } satisfies TotpSecret);
}
