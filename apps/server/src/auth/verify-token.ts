import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { callerOf } from './caller.ts';
import type { AuthDeps } from './deps.ts';

const Body = z.object({ token: z.string().nullish() });

/** POST /token/verify: is the token of the body, or else the bearer, good? Wire §3.17. */
export async function verifyToken(context: Context, { accessTokens }: AuthDeps): Promise<Response> {
  const { token } = await jsonBody(context, Body);
  const authorization = token ? `Bearer ${token}` : context.req.header('authorization');
  const caller = await callerOf(authorization, accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('invalid-request');
  return context.json('OK');
}
