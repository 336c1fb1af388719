import type { ConnectedAccount, GitProviderName } from '@longshore/contract';
import type { ConnectDeps } from '../deps.ts';
import { ACCOUNT, type AccountSecret, toSecret } from './account-secret.ts';

type Wish = {
  ownerId: string;
  provider: GitProviderName;
  authType: 'oauth' | 'credentials';
  secret: AccountSecret;
};

/** Keeps an account of a code host, once the host has said whose the token is. Throws a `ProviderFailure` otherwise. */
export async function connectAccount(
  { ownerId, provider, authType, secret }: Wish,
  { gitProviders, integrations }: Pick<ConnectDeps, 'gitProviders' | 'integrations'>,
  signal: AbortSignal,
): Promise<ConnectedAccount> {
  const { url, accessToken } = secret;
  const account = await gitProviders[provider].account({ url, token: accessToken }, signal);
  const id = await integrations.connect(
    ownerId,
    {
      provider,
      type: 'ssh',
      auth_type: authType,
      host: new URL(url).host,
      account_name: account.name,
      account_id: account.id,
      state: 'connected',
    },
    { name: ACCOUNT, secret: toSecret(secret) },
  );
  return { id, provider, account_name: account.name };
}
