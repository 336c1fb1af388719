import type { PersonalAccessToken } from '@longshore/contract';
import type { Context } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';

/** GET /personal-access-tokens: what the caller made, the newest first, without their values. Our own. */
export async function listPats(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const rows = await deps.personalAccessTokens.ofUser(user.id);
  const personalAccessTokens = rows.map(
    (row): PersonalAccessToken => ({
      id: row.id,
      metadata: row.metadata,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      expiresAt: row.expires_at.toISOString(),
    }),
  );
  return context.json({ personalAccessTokens });
}
