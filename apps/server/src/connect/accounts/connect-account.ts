import type { ConnectedAccount, GitProviderName } from '@longshore/contract';
import type { ConnectDeps } from '../deps.ts';
import { ACCOUNT, type AccountSecret, toSecret } from './account-secret.ts';

type Wish = {
  ownerId: string;
  provider: GitProviderName;
  authType: 'oauth' | 'credentials';
  secret: AccountSecret;
};

const MAX_NAME_LENGTH = 200;

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
      account_name: plainText(account.name),
      account_id: account.id,
      state: 'connected',
    },
    { name: ACCOUNT, secret: toSecret(secret) },
  );
  return { id, provider, account_name: plainText(account.name) };
}

/** It comes from outside and is stored and shown: no broken or invisible characters, no novels. */
function plainText(text: string): string {
  return text.toWellFormed().replace(/\p{C}/gu, '').slice(0, MAX_NAME_LENGTH);
}
