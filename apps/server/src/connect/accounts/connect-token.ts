import { GIT_PROVIDERS, type GitProviderName } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { Secret } from '../../secrets/secret.ts';
import { requireCaller } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { providerProblem } from '../providers/provider-problem.ts';
import { AUTHENTICATION_FAILED } from '../registries/sign-in-to-registry.ts';
import { connectAccount } from './connect-account.ts';

const Body = z.object({
  provider: z.enum(GIT_PROVIDERS),
  url: z.string().max(500).optional(),
  token: z.string().trim().max(10_000).default(''),
});

/** Printable ASCII: the token is sent in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/** POST /auth/token: connects a code host with a personal access token, which is checked before it is stored. */
export async function connectToken(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await requireCaller(context, deps.session);
  const { provider, url: urlInput, token } = await jsonBody(context, Body);
  if (!TOKEN.test(token)) throw new Problem(400, 'invalid-token', 'Please enter an access token');
  const url = providerUrl(provider, urlInput, deps);
  const secret = { url, accessToken: new Secret(token) };
  const credentials = { ownerId, provider, authType: 'credentials', secret } as const;
  const connected = await connectAccount(context, deps, credentials).catch((error) => {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.reason !== 'unauthorized') throw providerProblem(error);
    throw new Problem(401, 'unauthorized', AUTHENTICATION_FAILED, { cause: error });
  });
  return context.json(connected);
}

function providerUrl(
  provider: GitProviderName,
  urlInput: string | undefined,
  { settings }: ConnectDeps,
): string {
  if (urlInput === undefined || urlInput.trim() === '') {
    if (provider !== 'gitea') return settings.gitHosts[provider];
    throw new Problem(400, 'invalid-url', 'Please enter the URL of your Gitea or Forgejo');
  }
  const url = parseProviderUrl(urlInput, settings);
  if (url !== undefined) return url;
  throw new Problem(400, 'invalid-url', 'Please enter a URL like https://git.example.com');
}

/** Normalises the URL of a code host that a user typed: without a trailing slash. Undefined if it is invalid. */
export function parseProviderUrl(
  input: string,
  { allowLocalSources }: { allowLocalSources: boolean },
): string | undefined {
  const text = input.trim();
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, pathname, username, password, search, hash } = new URL(url);
  // Plain http would expose the token.
  const protocols = allowLocalSources ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(protocol)) return undefined;
  if (username !== '' || password !== '' || search !== '' || hash !== '') return undefined;
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
