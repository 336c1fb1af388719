import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import type { OAuthClient, OAuthTokens } from '../../oauth/oauth-client.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { Profile } from './profile.ts';

export type ProviderName = 'github' | 'gitlab' | 'google';

/** The provider's base URL and Longshore's registration there. */
export type ProviderClient = { url: string; clientId: string; clientSecret: Secret };

/** A provider without an entry is disabled. */
export type ProviderClients = Partial<Record<ProviderName, ProviderClient>>;

export type Provider = {
  scopes: string[];
  /** The provider's endpoints with Longshore's registration. May need a discovery request. */
  oauthClient(): Promise<OAuthClient>;
  /** The profile of the account that the tokens belong to. `nonce` is the one of the authorization request. */
  profile(tokens: OAuthTokens, nonce: string): Promise<Profile>;
};

/** The redirect URI that the operator registers with the provider. */
export function callbackUrl(publicUrl: string, provider: string): string {
  const path = AUTH_PATHS.signInProviderCallback.replace(':provider', provider);
  return `${publicUrl}${SERVICE_PATHS.auth[0]}${path}`;
}
