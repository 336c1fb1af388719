import { connectPath, type OauthTicket, SERVICE_PATHS } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { requireCaller } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { ensureBrowserKey } from './browser-key.ts';

const Body = z.object({ provider: z.string().max(50) });

/** POST /oauth/tickets: issues a ticket with which this browser can start one sign-in at a provider within a minute. */
export async function issueOauthTicket(context: Context, deps: ConnectDeps): Promise<Response> {
  const userId = await requireCaller(context, deps.session);
  const { provider: providerName } = await jsonBody(context, Body);
  const provider = deps.oauthProviders.find(providerName);
  if (provider === undefined) {
    const message = 'The operator has not set up OAuth for this provider. Use an access token.';
    throw new Problem(404, 'not-configured', message);
  }
  const { publicUrl } = deps.settings;
  requirePublicUrl(context, publicUrl);
  const browserKey = ensureBrowserKey(context, publicUrl);
  const token = await deps.attempts.issueTicket({ userId, provider: provider.name, browserKey });
  const path = connectPath('oauthLogin', { provider: provider.name });
  const url = `${publicUrl}${SERVICE_PATHS.connect[0]}${path}?token=${token}`;
  context.header('cache-control', 'no-store');
  return context.json({ token, url } satisfies OauthTicket);
}

/** The provider redirects back to the public URL, where cookies of another origin would be missing. */
function requirePublicUrl({ req }: Context, publicUrl: string): void {
  const origin = req.header('origin');
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  const message = `Open the console at ${publicUrl} to connect this provider.`;
  throw new Problem(409, 'other-address', message);
}
