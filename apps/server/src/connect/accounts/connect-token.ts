import { GIT_PROVIDERS, type GitProviderName } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { Secret } from '../../secrets/secret.ts';
import { callerOf } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { providerProblem } from '../providers/provider-problem.ts';
import { AUTHENTICATION_FAILED } from '../refusals.ts';
import { connectAccount } from './connect-account.ts';
import { parseProviderUrl } from './provider-url.ts';

const Body = z.object({
  provider: z.enum(GIT_PROVIDERS),
  url: z.string().max(500).optional(),
  token: z.string().trim().max(10_000).default(''),
});

/** What a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

/** POST /auth/token: a code host by a personal access token, which is tried before it is kept. */
export async function connectToken(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await callerOf(context, deps.session);
  const { provider, url: given, token } = await jsonBody(context, Body);
  if (!TOKEN.test(token)) throw new Problem(400, 'invalid-token', 'Please enter an access token');
  const url = urlOf(provider, given, deps);
  const secret = { url, accessToken: new Secret(token) };
  const wish = { ownerId, provider, authType: 'credentials', secret } as const;
  const connected = await connectAccount(context, deps, wish).catch((error) => {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.reason !== 'unauthorized') throw providerProblem(error);
    throw new Problem(401, 'unauthorized', AUTHENTICATION_FAILED, { cause: error });
  });
  return context.json(connected);
}

function urlOf(
  provider: GitProviderName,
  given: string | undefined,
  { settings }: ConnectDeps,
): string {
  if (given === undefined || given.trim() === '') {
    if (provider !== 'gitea') return settings.gitHosts[provider];
    throw new Problem(400, 'invalid-url', 'Please enter the address of your Gitea or Forgejo');
  }
  const url = parseProviderUrl(given, settings);
  if (url !== undefined) return url;
  throw new Problem(400, 'invalid-url', 'Please enter an address like https://git.example.com');
}
