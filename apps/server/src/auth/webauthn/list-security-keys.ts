import type { SecurityKey } from '@longshore/contract';
import type { Context } from 'hono';
import { requireRegisteredUser } from '../require-registered-user.ts';
import type { WebauthnDeps } from './deps.ts';

/** GET /user/security-keys. Our own addition. */
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
