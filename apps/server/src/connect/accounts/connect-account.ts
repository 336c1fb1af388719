import type { ConnectedAccount, GitProviderName } from '@longshore/contract';
import type { Context } from 'hono';
import type { ConnectDeps } from '../deps.ts';
import { ACCOUNT_SECRET } from '../sealed-secrets.ts';
import { type AccountSecret, serializeAccountSecret } from './account-secret.ts';
import { saveIntegration } from './save-integration.ts';

type AccountCredentials = {
  ownerId: string;
  provider: GitProviderName;
  authType: 'oauth' | 'credentials';
  secret: AccountSecret;
};

const MAX_NAME_LENGTH = 200;

/** Fetches the account of the token from the code host and stores it. Throws a `ProviderFailure`. */
export async function connectAccount(
  context: Context,
  deps: ConnectDeps,
  { ownerId, provider, authType, secret }: AccountCredentials,
): Promise<ConnectedAccount> {
  const { url, accessToken } = secret;
  const account = await deps.gitProviders[provider].account(
    { url, token: accessToken },
    context.req.raw.signal,
  );
  return await saveIntegration(context, deps, {
    ownerId,
    values: {
      provider,
      type: 'ssh',
      auth_type: authType,
      host: new URL(url).host,
      account_name: displayName(account.name),
      account_id: account.id,
    },
    secret: { name: ACCOUNT_SECRET, secret: serializeAccountSecret(secret) },
  });
}

/** The name comes from the provider: removes invalid and invisible characters, and truncates it. */
function displayName(name: string): string {
  return name.toWellFormed().replace(/\p{C}/gu, '').slice(0, MAX_NAME_LENGTH);
}
