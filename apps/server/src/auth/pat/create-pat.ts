import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { metadataField } from '../metadata-field.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';

const Body = z.object({
  expiresAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  metadata: metadataField.nullish(),
});

/** POST /pat. Any future end will do. Wire §3.5. */
export async function createPat(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { expiresAt, metadata } = await jsonBody(context, Body);
  if (expiresAt.getTime() <= deps.clock.now()) throw new AuthProblem('invalid-request');
  const { id, token } = await deps.personalAccessTokens.issue({
    userId: user.id,
    expiresAt,
    metadata: metadata ?? null,
  });
  await deps.audit(context, {
    kind: 'access-token-created',
    userId: user.id,
    details: { id, expiresAt: expiresAt.toISOString() },
  });
  return context.json({ id, personalAccessToken: token });
}
