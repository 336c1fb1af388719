import type { ConnectedAccount, GitProviderName } from '@longshore/contract';
import type { Context } from 'hono';
import type { ConnectDeps } from '../deps.ts';
import { ACCOUNT, type AccountSecret, toSecret } from './account-secret.ts';
import { keepIntegration } from './keep-integration.ts';

type Wish = {
  ownerId: string;
  provider: GitProviderName;
  authType: 'oauth' | 'credentials';
  secret: AccountSecret;
};

const MAX_NAME_LENGTH = 200;

/** Keeps an account of a code host, once the host has said whose the token is. Throws a `ProviderFailure` otherwise. */
export async function connectAccount(
  context: Context,
  deps: ConnectDeps,
  { ownerId, provider, authType, secret }: Wish,
): Promise<ConnectedAccount> {
  const { url, accessToken } = secret;
  const asked = { url, token: accessToken };
  const account = await deps.gitProviders[provider].account(asked, context.req.raw.signal);
  return await keepIntegration(context, deps, {
    ownerId,
    values: {
      provider,
      type: 'ssh',
      auth_type: authType,
      host: new URL(url).host,
      account_name: plainText(account.name),
      account_id: account.id,
    },
    secret: { name: ACCOUNT, secret: toSecret(secret) },
  });
}

/** It comes from outside and is stored and shown: no broken or invisible characters, no novels. */
function plainText(text: string): string {
  return text.toWellFormed().replace(/\p{C}/gu, '').slice(0, MAX_NAME_LENGTH);
}
